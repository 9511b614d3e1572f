//go:build unix

package journal

import (
	"os"
	"syscall"
	"time"
)

const hasModes = true

// lockDir locks the folder against other consoles while a journal is created or set aside. The
// lock ends with the process.
func lockDir(path string) (release func(), err error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	for tries := 0; ; tries++ {
		err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		switch {
		case err == nil:
			return func() { f.Close() }, nil
		case err != syscall.EINTR && err != syscall.EWOULDBLOCK, tries == 500: // 5 s, like SQLite's busy_timeout
			f.Close()
			return nil, err
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// processGone reports whether a process does not exist. A zombie still does.
func processGone(pid int64) bool { return syscall.Kill(int(pid), 0) == syscall.ESRCH }
