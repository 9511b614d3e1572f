package export

import (
	"bufio"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// DefaultFolder returns the default folder for files: the first of $XDG_DOWNLOAD_DIR, Downloads in
// the home folder and the home folder itself that is a folder; "" when none is. It is never the
// working folder, which may be shared, or kept under version control.
func DefaultFolder(getenv func(string) string) string {
	folders := []string{getenv("XDG_DOWNLOAD_DIR")}
	if home, err := os.UserHomeDir(); err == nil {
		folders = append(folders, filepath.Join(home, "Downloads"), home)
	}
	for _, dir := range folders {
		if info, err := os.Stat(dir); filepath.IsAbs(dir) && err == nil && info.IsDir() {
			return dir
		}
	}
	return ""
}

// FileName returns a file name for a subject, with the time and its offset from UTC in it and the
// extension end.
func FileName(about, end string, now time.Time) string {
	return "paydesk-" + about + now.Format("-20060102-150405Z0700") + end
}

const (
	maxTries = 100 // how many names are tried, from the second on with a number
	private  = 0o600
)

// ErrNameTaken is the error when the name and 99 numbered variants of it are taken.
var ErrNameTaken = errors.New("a hundred files with this name exist already")

// CreateFile creates a file in a folder, readable by its owner only, and returns its path. It never
// overwrites another: when the name is taken, it adds a number. The file appears complete or
// not at all: it is written under a temporary name, synced to the disk, and then renamed. A
// folder that begins with ~/ is in the home folder.
func CreateFile(folder, name string, write func(io.Writer) error) (path string, err error) {
	folder, err = absFolder(folder)
	if err != nil {
		return "", err
	}
	temp, err := os.CreateTemp(folder, ".paydesk-*.part") // O_EXCL, 0600
	if err != nil {
		return "", err
	}
	defer func() {
		temp.Close()
		if err != nil {
			os.Remove(temp.Name())
		}
	}()
	b := bufio.NewWriterSize(temp, 1<<16)
	if err := write(b); err != nil {
		return "", err
	}
	if err := errors.Join(b.Flush(), temp.Sync(), temp.Close()); err != nil {
		return "", err
	}
	return moveToFreeName(temp.Name(), filepath.Join(folder, name))
}

// absFolder returns a typed folder as an absolute path. A shell would expand ~; nothing else does.
func absFolder(folder string) (string, error) {
	if rest, ok := strings.CutPrefix(folder, "~/"); ok || folder == "~" {
		home, err := os.UserHomeDir()
		if err != nil {
			return "", err
		}
		return filepath.Join(home, strings.TrimPrefix(rest, "~")), nil
	}
	return filepath.Abs(folder)
}

// moveToFreeName renames a file to a name, or to its first numbered variant that is free. It
// first creates an empty file of that name, which fails when there is one: renaming alone
// would replace it.
func moveToFreeName(from, to string) (string, error) {
	end := filepath.Ext(to)
	for n := 1; n <= maxTries; n++ {
		path := to
		if n > 1 {
			path = strings.TrimSuffix(to, end) + "-" + strconv.Itoa(n) + end
		}
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, private)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return "", err
		}
		f.Close()
		if err := os.Rename(from, path); err != nil {
			os.Remove(path)
			return "", err
		}
		syncFolder(filepath.Dir(path))
		return path, nil
	}
	return "", ErrNameTaken
}

// syncFolder makes a rename durable, where the system can do that.
func syncFolder(folder string) {
	if d, err := os.Open(folder); err == nil {
		d.Sync()
		d.Close()
	}
}
