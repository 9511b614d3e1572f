//go:build unix

package journal

import (
	"context"
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
	if err := flock(context.Background(), f, 5*time.Second); err != nil { // like SQLite's busy_timeout
		f.Close()
		return nil, err
	}
	return func() { f.Close() }, nil
}

// flock locks an open file against everybody who has opened it elsewhere, until it is closed or [unlock].
func flock(ctx context.Context, f *os.File, wait time.Duration) error {
	const pause = 2 * time.Millisecond
	for ; ; wait -= pause {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err != syscall.EINTR && err != syscall.EWOULDBLOCK {
			return err
		}
		if wait <= 0 || ctx.Err() != nil {
			return err
		}
		time.Sleep(pause)
	}
}

func unlock(f *os.File) { _ = syscall.Flock(int(f.Fd()), syscall.LOCK_UN) }

// processGone reports whether a process does not exist. A zombie still does.
func processGone(pid int64) bool { return syscall.Kill(int(pid), 0) == syscall.ESRCH }
