package timely

import (
	"os"
	"syscall"
)

// SpareDisk lets the folders of the tests lie in memory, where this machine has room for them there, unless TMPDIR says
// where they are. What is written is synced as on a disk, which takes most of the time of a test that is not one of the
// disk. TestMain calls it.
func SpareDisk() {
	const (
		memory = "/dev/shm"
		tmpfs  = 0x01021994 // the kind of file system, by statfs(2)
		noexec = 8          // its flag where no program runs
		room   = 2 << 30
	)
	var is syscall.Statfs_t
	if syscall.Statfs(memory, &is) != nil || is.Type != tmpfs || is.Flags&noexec != 0 || is.Bavail*uint64(is.Bsize) < room {
		return
	}
	if folder, err := os.MkdirTemp(memory, "paydesk-"); err == nil && os.Remove(folder) == nil && os.Getenv("TMPDIR") == "" {
		os.Setenv("TMPDIR", memory)
	}
}
