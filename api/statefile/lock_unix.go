//go:build unix

package statefile

import (
	"os"
	"syscall"
	"time"
)

const hasModes = true

// LockDir locks a folder against other consoles while a file in it is created or set aside; path is the
// file that is locked. The lock ends with the process.
func LockDir(path string) (release func(), err error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := lock(f, 5*time.Second); err != nil { // like SQLite's busy_timeout
		f.Close()
		return nil, err
	}
	return func() { f.Close() }, nil
}

// lock locks an open file against everybody who has opened it elsewhere, until it is closed.
func lock(f *os.File, wait time.Duration) error {
	const pause = 2 * time.Millisecond
	for ; ; wait -= pause {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err != syscall.EINTR && err != syscall.EWOULDBLOCK || wait <= 0 {
			return err
		}
		time.Sleep(pause)
	}
}
