package statefile

import "syscall"

const mountLocal = 0x1000 // MNT_LOCAL of sys/mount.h

// IsLocal reports whether a folder is on a disk of this machine.
func IsLocal(dir string) bool {
	var s syscall.Statfs_t
	return syscall.Statfs(dir, &s) == nil && s.Flags&mountLocal != 0
}
