//go:build unix

package journal

import "syscall"

// processGone reports whether a process does not exist. A zombie still does.
func processGone(pid int64) bool { return syscall.Kill(int(pid), 0) == syscall.ESRCH }

// processLives reports whether there is a process of a number.
func processLives(pid int64) bool { return !processGone(pid) }
