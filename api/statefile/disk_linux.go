package statefile

import "syscall"

// networkFS holds the file systems, by magic number (statfs(2)), on which memory is not shared
// between all machines that have them mounted, as a write-ahead log requires.
var networkFS = map[uint32]bool{
	0x6969:     true, // NFS
	0x517B:     true, // SMB
	0xFF534D42: true, // CIFS
	0xFE534D42: true, // SMB2
	0x65735546: true, // FUSE: sshfs and others, which cannot be told apart
	0x01021997: true, // 9P
	0x00C36400: true, // Ceph
	0x5346414F: true, // AFS
	0x6B414653: true, // kAFS
	0x73757245: true, // Coda
	0x564C:     true, // NCP
	0x01161970: true, // GFS2
	0x7461636F: true, // OCFS2
	0x0BD00BD0: true, // Lustre
	0x47504653: true, // GPFS
	0x19830326: true, // BeeGFS
	0x786F4256: true, // VirtualBox shared folder
	0xAAD7AAEA: true, // PanFS
}

// IsLocal reports whether a folder is on a disk of this machine.
func IsLocal(dir string) bool {
	var s syscall.Statfs_t
	return syscall.Statfs(dir, &s) == nil && !networkFS[uint32(s.Type)]
}

// Free returns how many bytes of a folder's disk this user can still fill; known is false where that cannot be told.
func Free(dir string) (bytes uint64, known bool) {
	var s syscall.Statfs_t
	if syscall.Statfs(dir, &s) != nil || s.Bsize <= 0 {
		return 0, false
	}
	return s.Bavail * uint64(s.Bsize), true
}
