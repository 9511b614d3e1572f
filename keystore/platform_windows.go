package keystore

import (
	"io"
	"os"
	"os/exec"
)

// readPrivate reads a small file. Who else can reach it is decided by the access
// lists of Windows, which are not judged here.
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
	b, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return nil, fileError(path, err)
	}
	return checkContents(path, b)
}

// newProcessGroup has nothing to do: no program draws on another's console unasked.
func newProcessGroup(*exec.Cmd) {}

// killGroup ends nothing: a process of Windows has no group that outlives it.
func killGroup(*exec.Cmd) {}

// Harden has nothing to do here.
func Harden() error { return nil }
