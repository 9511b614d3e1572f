package keystore

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// ReplaceFile writes b to a temporary file beside path and renames it to path. It creates the
// folder with mode 0700 if necessary. A crash leaves either the old or the new file.
func ReplaceFile(path string, b []byte, mode fs.FileMode) error {
	folder := filepath.Dir(path)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(folder, "."+filepath.Base(path)+"-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // fails harmlessly after the rename
	_, err = f.Write(b)
	err = errors.Join(err, f.Chmod(mode), f.Sync(), f.Close())
	if err != nil {
		return err
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return err
	}
	// Not every system can sync a folder; the file is complete either way.
	if d, err := os.Open(folder); err == nil {
		_ = d.Sync()
		d.Close()
	}
	return nil
}
