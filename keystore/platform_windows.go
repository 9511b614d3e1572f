package keystore

import (
	"io/fs"
	"os/exec"
	_ "time/tzdata" // Windows has no database of time zones under their usual names; other systems do
)

// ownPath, ownEntry and safeFile do not check the Windows access lists that decide who else can read
// or replace a file.
func ownPath(string) error                     { return nil }
func ownEntry(string, fs.FileInfo, bool) error { return nil }
func safeFile(string, fs.FileInfo, bool) error { return nil }

// newProcessGroup does nothing: on Windows a program does not write to another console by
// itself.
func newProcessGroup(*exec.Cmd) {}

// killGroup does nothing: Windows has no process group that outlives its leader.
func killGroup(*exec.Cmd) {}

// Harden does nothing on Windows.
func Harden() error { return nil }
