//go:build !windows

package command

import (
	"errors"
	"syscall"
)

// unread reports whether a write failed because the reader of the pipe has gone.
func unread(err error) bool { return errors.Is(err, syscall.EPIPE) }
