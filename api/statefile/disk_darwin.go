package statefile

import "syscall"

const mountLocal = 0x1000 // MNT_LOCAL of sys/mount.h

// IsLocal reports whether a folder is on a disk of this machine.
func IsLocal(dir string) bool {
	var s syscall.Statfs_t
	return syscall.Statfs(dir, &s) == nil && s.Flags&mountLocal != 0
}

// Free returns how many bytes of a folder's disk this user can still fill; known is false where that cannot be told.
func Free(dir string) (bytes uint64, known bool) {
	var s syscall.Statfs_t
	if syscall.Statfs(dir, &s) != nil {
		return 0, false
	}
	return s.Bavail * uint64(s.Bsize), true
}
