package journal

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"os/user"
	"path/filepath"
	"strings"

	"paydesk/api/pattern"
)

const fileName = "journal.db"

// CurrentOperator returns the operating system's user, the name of the machine, and the address
// of the SSH client, which is the first word of SSH_CONNECTION or SSH_CLIENT.
func CurrentOperator(getenv func(string) string) Operator {
	o := Operator{User: getenv("USER")}
	if u, err := user.Current(); err == nil {
		o.User = u.Username
	}
	o.Host, _ = os.Hostname()
	o.SSH, _, _ = strings.Cut(cmp.Or(getenv("SSH_CONNECTION"), getenv("SSH_CLIENT")), " ")
	return o.sanitized()
}

func (o Operator) sanitized() Operator {
	return Operator{sanitize(o.User), sanitize(o.Host), sanitize(o.SSH)}
}

// Dir returns the folder of the journal: flag (--state-dir) when it is set, else
// $XDG_STATE_HOME/paydesk, else ~/.local/state/paydesk. When none is known the error is an
// [*Unavailable].
func Dir(flag string, getenv func(string) string) (string, error) {
	if flag != "" {
		dir, err := filepath.Abs(flag)
		if err != nil {
			return "", &Unavailable{"The folder of the journal cannot be found. Give --state-dir as an absolute path.", err}
		}
		return dir, nil
	}
	if state := getenv("XDG_STATE_HOME"); filepath.IsAbs(state) { // the XDG specification ignores a relative path
		return filepath.Join(state, "paydesk"), nil
	}
	if home := getenv("HOME"); filepath.IsAbs(home) {
		return filepath.Join(home, ".local", "state", "paydesk"), nil
	}
	return "", &Unavailable{Why: "The journal has no folder: XDG_STATE_HOME is not an absolute path, and HOME is not set. Choose one with --state-dir."}
}

// makeDir creates the folder when it is missing, and rejects one that others can read.
func makeDir(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	return checkMode(dir, 0o700)
}

// checkMode rejects modes looser than most. It does not change them: whoever loosened them may
// have had a reason, and should know.
func checkMode(path string, most fs.FileMode) error {
	about, err := os.Stat(path)
	if err != nil {
		return err
	}
	if !hasModes || about.Mode().Perm()&^most == 0 {
		return nil
	}
	const why = "The journal is disabled because other users can read it. Fix it with: chmod %o %s"
	return &Unavailable{Why: fmt.Sprintf(why, most, shellQuote(path))}
}

var plainPath = pattern.Lazy(`^[A-Za-z0-9/._-]*$`)

// shellQuote quotes a path for a shell.
func shellQuote(path string) string {
	if plainPath().MatchString(path) {
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}

// checkFileModes rejects loose modes of the file and of SQLite's files beside it.
func checkFileModes(path string) error {
	for _, end := range []string{"", "-wal", "-shm", "-journal"} {
		if err := checkMode(path+end, 0o600); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// dsn returns the data source name for the driver: SQLite creates no file, transactions take
// the write lock when they begin, and commits are synced to the disk.
func dsn(path string, local, write bool) string {
	values := url.Values{"_txlock": {"immediate"}, "mode": {"rw"}, "_pragma": {
		"busy_timeout(5000)", "synchronous(FULL)", "foreign_keys(1)", "mmap_size(0)", "secure_delete(1)", "trusted_schema(0)",
		"cell_size_check(1)",
	}}
	switch {
	case path == "":
		values.Set("mode", "memory")
		return "file:journal?" + values.Encode()
	case !write:
		values.Set("mode", "ro")
		values.Add("_pragma", "query_only(1)")
	case local:
		values.Add("_pragma", "journal_mode(WAL)")
		values.Add("_pragma", "wal_autocheckpoint(0)") // [Journal.transact] does it
	default:
		values.Add("_pragma", "journal_mode(DELETE)")
	}
	return (&url.URL{Scheme: "file", OmitHost: true, Path: filepath.ToSlash(path)}).String() + "?" + values.Encode()
}

// syncDir makes renames in a folder durable.
func syncDir(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := f.Sync(); err != nil && hasModes { // some systems cannot sync a folder, and need not
		return err
	}
	return nil
}
