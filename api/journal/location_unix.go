//go:build unix

package journal

import (
	"bytes"
	"fmt"
	"os"
	"syscall"
	"time"
)

const hasModes = true

// lockDir locks the folder of the journal against other consoles while a journal is made
// or put aside. The lock goes with the process.
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
		case err != syscall.EINTR && err != syscall.EWOULDBLOCK, tries == 500: // 5 s, as with SQLite's own
			f.Close()
			return nil, err
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// processGone reports whether there is no such process, or only what is left of one that nobody
// has collected yet.
func processGone(pid int64) bool {
	if syscall.Kill(int(pid), 0) == syscall.ESRCH {
		return true
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid)) // on Linux
	if err != nil {
		return false
	}
	_, after, _ := bytes.Cut(stat, []byte(") ")) // the name before it may hold anything
	return bytes.HasPrefix(after, []byte("Z")) || bytes.HasPrefix(after, []byte("X"))
}
