package keystore

import (
	"errors"
	"fmt"
	"io"
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
	b, err := readConfig(path)
	if err != nil {
		return nil, err
	}
	return parse(path, b)
}

func readConfig(path string) ([]byte, error) {
	about, err := os.Stat(path) // before opening, which may block
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%s does not exist: %w", path, fs.ErrNotExist)
	case err != nil:
		return nil, fmt.Errorf("the profiles cannot be read: %w", err)
	case !about.Mode().IsRegular():
		return nil, fmt.Errorf("%s is not a regular file", path)
	case runtime.GOOS != "windows" && about.Mode().Perm()&0o022 != 0:
		return nil, fmt.Errorf("%s can be changed by other users of this host; run: chmod go-w %s", path, path)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("the profiles cannot be read: %w", err)
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxConfig+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("the profiles cannot be read: %w", err)
	case len(b) > maxConfig:
		return nil, fmt.Errorf("%s is larger than %d KiB, too large for a configuration file", path, maxConfig>>10)
	}
	return b, nil
}
