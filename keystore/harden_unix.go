//go:build unix && !linux

package keystore

import "golang.org/x/sys/unix"

// Harden lets no core be written (R27). This system has nothing to keep other programs
// of the same user away.
func Harden() error { return unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{}) }
