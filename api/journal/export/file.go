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

// Folder is where files are put unless a person says otherwise: $XDG_DOWNLOAD_DIR, else the
// working folder, else the home; the first that is a folder. "" when none is. It asks the
// file system.
func Folder(getenv func(string) string) string {
	work, _ := os.Getwd()
	home, _ := os.UserHomeDir()
	for _, dir := range []string{getenv("XDG_DOWNLOAD_DIR"), work, home} {
		if info, err := os.Stat(dir); dir != "" && err == nil && info.IsDir() {
			return dir
		}
	}
	return ""
}

// Name is the name of a file about something, with the time in it and what it ends with.
func Name(about, end string, now time.Time) string {
	return "paydesk-" + about + now.Format("-20060102-150405") + end
}

const (
	maxTries = 100 // names with a number in them, where the name is taken
	private  = 0o600
)

// ErrTaken is the error when a hundred names in a row are taken.
var ErrTaken = errors.New("files of this name are there already, a hundred of them")

// File makes a new file in a folder, readable by its owner alone, and gives its path. It
// never writes over another: when the name is taken, a number is put in. The
// file is there whole or not at all: it is written beside its place under another name,
// brought to the disk, and only then given its own. A folder that begins with ~/ is in the
// home.
func File(folder, name string, write func(io.Writer) error) (path string, err error) {
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

// absFolder is a folder as a path from the root.
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

// moveToFreeName gives a written file its name, or the next one that is free. The name is taken by
// making an empty file of it first, which fails where there is one: renaming alone would
// replace it.
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
	return "", ErrTaken
}

// syncFolder brings a folder's list of names to the disk, where the system can do that.
func syncFolder(folder string) {
	if d, err := os.Open(folder); err == nil {
		d.Sync()
		d.Close()
	}
}
