package keystore

import (
	"os"
	"os/exec"
)

// readPrivate reads a small file. It does not check the Windows access lists that decide who
// else can read the file.
func readPrivate(path string, _ bool) ([]byte, error) {
	about, err := os.Lstat(path)
	if err != nil {
		return nil, fileError(path, err)
	}
	if !about.Mode().IsRegular() {
		return nil, notRegular(path, about.Mode())
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fileError(path, err)
	}
	defer f.Close()
	return readOpen(path, f)
}

// newProcessGroup does nothing: on Windows a program does not write to another console by
// itself.
func newProcessGroup(*exec.Cmd) {}

// killGroup does nothing: Windows has no process group that outlives its leader.
func killGroup(*exec.Cmd) {}

// Harden does nothing on Windows.
func Harden() error { return nil }
