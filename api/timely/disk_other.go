//go:build !linux

package timely

// SpareDisk does nothing here.
func SpareDisk() {}
