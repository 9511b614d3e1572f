package export

import (
	"bufio"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"paydesk/api/statefile"
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

const maxTries = 100 // how many names are tried, from the second on with a number

// ErrNameTaken is the error when the name and 99 numbered variants of it are taken.
var ErrNameTaken = errors.New("a hundred files with this name exist already")

// CreateFile creates a file in a folder, readable by its owner only, and returns its path. It never
// overwrites another: when the name is taken, it adds a number. The file appears complete or
// not at all: it is written under a temporary name, synced to the disk, and then given its own. Once ctx has
// ended, nothing more is written, and nothing is left. A folder that begins with ~/ is in the home folder.
func CreateFile(ctx context.Context, folder, name string, write func(io.Writer) error) (path string, err error) {
	return create(ctx, folder, name, maxTries, write)
}

// CreateNew is [CreateFile] for a path that was typed: when it is taken, nothing is written, and the error is
// [fs.ErrExist].
func CreateNew(ctx context.Context, path string, write func(io.Writer) error) (string, error) {
	return create(ctx, filepath.Dir(path), filepath.Base(path), 1, write)
}

// create creates a file under the first of so many names that is free.
func create(ctx context.Context, folder, name string, tries int, write func(io.Writer) error) (path string, err error) {
	folder, err = absFolder(folder)
	if err != nil {
		return "", err
	}
	temp, err := os.CreateTemp(folder, ".paydesk-*.part") // O_EXCL, 0600
	if about, is := os.Stat(folder); errors.Is(err, fs.ErrNotExist) && is == nil && about.IsDir() {
		err = &fs.PathError{Op: "create", Path: folder, Err: fs.ErrPermission} // the folder is there, and takes no file, as /proc
	}
	if err != nil {
		return "", err
	}
	unfinished.begin(temp.Name())
	defer func() {
		temp.Close()
		unfinished.end(temp.Name(), err != nil)
	}()
	b := bufio.NewWriterSize(until{ctx, temp}, 1<<16)
	if err := write(b); err != nil {
		return "", err
	}
	if err := errors.Join(b.Flush(), temp.Sync(), temp.Close()); err != nil {
		return "", err
	}
	if err := ctx.Err(); err != nil { // while it was synced
		return "", err
	}
	path, err = unfinished.finish(func() (string, error) {
		return moveToFreeName(temp.Name(), filepath.Join(folder, name), tries, os.Link)
	})
	if err == nil {
		_ = statefile.SyncDir(folder) // not in finish, whose lock the end of the program waits for
	}
	return path, err
}

// unfinished are the files that are being written.
var unfinished = parts{paths: map[string]bool{}}

// parts are the paths of files under their temporary names.
type parts struct {
	mu    sync.Mutex
	paths map[string]bool
	over  bool // the program ends
}

func (p *parts) begin(path string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.paths[path] = true
	if p.over {
		os.Remove(path)
	}
}

// end forgets a file, and removes it where it did not get its name.
func (p *parts) end(path string, remove bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.paths, path)
	if remove {
		os.Remove(path)
	}
}

// finish gives a file its name, unless the program ends.
func (p *parts) finish(move func() (string, error)) (string, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.over {
		return "", context.Canceled
	}
	return move()
}

// Abandon removes the files that are not complete, for the end of the program: their writers may not get
// so far. No file becomes complete after it.
func Abandon() {
	unfinished.mu.Lock()
	defer unfinished.mu.Unlock()
	unfinished.over = true
	for path := range unfinished.paths {
		os.Remove(path)
	}
}

// until is a writer that fails once its context has ended.
type until struct {
	ctx context.Context
	io.Writer
}

func (u until) Write(p []byte) (int, error) {
	if err := u.ctx.Err(); err != nil {
		return 0, err
	}
	return u.Writer.Write(p)
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

// moveToFreeName gives a file a name, or its first numbered variant that is free. Where one name alone is tried, the error says
// that it is taken.
func moveToFreeName(from, to string, tries int, link func(from, to string) error) (string, error) {
	end := filepath.Ext(to)
	for n := 1; n <= tries; n++ {
		path := to
		if n > 1 {
			path = strings.TrimSuffix(to, end) + "-" + strconv.Itoa(n) + end
		}
		switch err := statefile.MoveTo(from, path, link); {
		case err == nil:
			return path, nil
		case tries == 1 || !errors.Is(err, fs.ErrExist):
			return "", err
		}
	}
	return "", ErrNameTaken
}
