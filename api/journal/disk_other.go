//go:build !linux && !darwin

package journal

// isLocalDisk is not known here; a rollback journal is right on any disk.
func isLocalDisk(string) bool { return false }
