package keystore

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
)

// maxConfig is the largest configuration file that is read, in bytes.
const maxConfig = 64 << 10

// Load reads the configuration file. A missing file is [fs.ErrNotExist]. The error lists
// everything that is wrong, one problem per line, each with the file, the line and what was
// expected. Load rejects a file that seems to contain a secret key, and one that other users
// can write.
func Load(path string) (*Config, error) {
	b, _, err := readConfig(path)
	if err != nil {
		return nil, err
	}
	return parse(path, b)
}

// readConfig returns the content and the permissions of the configuration file.
func readConfig(path string) ([]byte, fs.FileMode, error) {
	about, err := os.Stat(path) // before opening, which may block
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, 0, fmt.Errorf("%s does not exist: %w", path, fs.ErrNotExist)
	case err != nil:
		return nil, 0, fmt.Errorf("the profiles cannot be read: %w", err)
	case !about.Mode().IsRegular():
		return nil, 0, fmt.Errorf("%s is not a regular file", path)
	case runtime.GOOS != "windows" && about.Mode().Perm()&0o022 != 0:
		return nil, 0, fmt.Errorf("%s can be changed by other users of this host; run: chmod go-w %s", path, path)
	case about.Size() > maxConfig:
		return nil, 0, fmt.Errorf("%s is larger than %d KiB, too large for a configuration file", path, maxConfig>>10)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, 0, fmt.Errorf("the profiles cannot be read: %w", err)
	}
	return b, about.Mode().Perm(), nil
}
