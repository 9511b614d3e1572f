//go:build !windows

package cli

import (
	"errors"
	"syscall"
)

// unread reports whether a write failed because nobody reads the pipe any more.
func unread(err error) bool { return errors.Is(err, syscall.EPIPE) }
