//go:build !linux && !darwin

package statefile

// IsLocal is not known here; a rollback journal is right on any disk.
func IsLocal(string) bool { return false }

// Free is not known here.
func Free(string) (bytes uint64, known bool) { return 0, false }
