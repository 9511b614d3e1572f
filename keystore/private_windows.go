package keystore

import (
	"io"
	"os"
)

// readPrivate reads a small file. Who else can reach it is decided by the access
// lists of Windows, which are not judged here.
func readPrivate(path string, _ bool) ([]byte, error) {
	about, err := os.Lstat(path)
	if err != nil {
		return nil, unreadable(path, err)
	}
	if !about.Mode().IsRegular() {
		return nil, noRegular(path, about.Mode())
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, unreadable(path, err)
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return nil, unreadable(path, err)
	}
	return contents(path, b)
}
