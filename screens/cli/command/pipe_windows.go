package command

import (
	"errors"
	"syscall"
)

// noData is ERROR_NO_DATA: the reader of a pipe is leaving.
const noData syscall.Errno = 232

// unread reports whether a write failed because the reader of the pipe has gone.
func unread(err error) bool {
	return errors.Is(err, syscall.ERROR_BROKEN_PIPE) || errors.Is(err, noData)
}
