//go:build !windows

package command

import (
	"errors"
	"syscall"
)

// unread reports whether a write failed because nobody reads the pipe any more.
func unread(err error) bool { return errors.Is(err, syscall.EPIPE) }
