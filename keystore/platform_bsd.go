//go:build unix && !linux

package keystore

import (
	"golang.org/x/sys/unix"
)

// ownGroup answers no: these systems keep their groups elsewhere than in /etc/group.
func ownGroup(string, int) bool { return false }

// Harden prevents core files. This system has no way to keep other programs of the same user
// away.
func Harden() error { return unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{}) }
