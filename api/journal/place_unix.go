//go:build unix

package journal

import (
	"os"
	"syscall"
)

const modesMean = true

// hold locks the folder of the journal against other consoles while a journal is made
// or put aside. The lock goes with the process.
func hold(path string) (release func(), err error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	for {
		err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX)
		if err != syscall.EINTR {
			break
		}
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return func() { f.Close() }, nil
}

// gone reports whether there is no such process.
func gone(pid int64) bool { return syscall.Kill(int(pid), 0) == syscall.ESRCH }
