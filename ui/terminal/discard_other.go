//go:build !linux && !windows

package terminal

import (
	"os"
	"syscall"
)

// discard does nothing: unread output cannot be dropped here.
func discard(*os.File) {}

// stackFault stands for a signal of Linux alone.
const stackFault = syscall.SIGABRT
