package journal

import (
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"os/user"
	"path/filepath"
	"strings"
)

const fileName = "journal.db"

// CurrentOperator is who sits at this console: the user of the operating system, the name of the
// machine and the address of the SSH client, the first word of SSH_CONNECTION or
// SSH_CLIENT.
func CurrentOperator(getenv func(string) string) Operator {
	var o Operator
	if u, err := user.Current(); err == nil {
		o.User = u.Username
	} else {
		o.User = getenv("USER")
	}
	o.Host, _ = os.Hostname()
	for _, name := range []string{"SSH_CONNECTION", "SSH_CLIENT"} {
		if words := strings.Fields(getenv(name)); len(words) > 0 {
			o.SSH = words[0]
			break
		}
	}
	return Operator{sanitize(o.User), sanitize(o.Host), sanitize(o.SSH)}
}

// Dir is the folder of the journal: flag (--state-dir) when it is given, else
// $XDG_STATE_HOME/paydesk, else ~/.local/state/paydesk (R103). Without any the error is
// a [*Blocked].
func Dir(flag string, getenv func(string) string) (string, error) {
	if flag != "" {
		dir, err := filepath.Abs(flag)
		if err != nil {
			return "", &Unavailable{"The folder of the journal cannot be found. Give --state-dir as a whole path.", err}
		}
		return dir, nil
	}
	if state := getenv("XDG_STATE_HOME"); filepath.IsAbs(state) { // a relative one is to be ignored
		return filepath.Join(state, "paydesk"), nil
	}
	if home := getenv("HOME"); filepath.IsAbs(home) {
		return filepath.Join(home, ".local", "state", "paydesk"), nil
	}
	return "", &Unavailable{Why: "No folder is known for the journal: XDG_STATE_HOME is not an absolute path, and HOME is not set. Name one with --state-dir."}
}

// makeDir makes the folder when it is missing and refuses one that others can look into
// (R75).
func makeDir(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	return checkMode(dir, 0o700)
}

// checkMode refuses modes looser than most. It changes nothing: who loosened them may have
// had a reason, and must know.
func checkMode(path string, most fs.FileMode) error {
	about, err := os.Stat(path)
	if err != nil {
		return err
	}
	if !hasModes || about.Mode().Perm()&^most == 0 {
		return nil
	}
	return &Unavailable{Why: fmt.Sprintf("The journal is not used, because others can look into it. Close it with: chmod %o %s", most, shellQuote(path))}
}

// shellQuote is a path as it is typed into a shell.
func shellQuote(path string) string {
	plain := func(r rune) bool {
		return r == '/' || r == '.' || r == '_' || r == '-' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
	}
	if strings.IndexFunc(path, func(r rune) bool { return !plain(r) }) < 0 {
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}

// checkFileModes refuses loose modes of the file and of those SQLite keeps beside it.
func checkFileModes(path string) error {
	for _, end := range []string{"", "-wal", "-shm", "-journal"} {
		if err := checkMode(path+end, 0o600); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// dsn is the name of the database for the driver: nothing is made that we did not
// make, transactions take the write lock when they begin, and what is committed is on
// the disk (R100).
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
		// What was committed is copied into the file at once: a log that is cut or broken
		// after a crash would be left out in silence from there on (R101).
		values.Add("_pragma", "wal_autocheckpoint(1)")
	default:
		values.Add("_pragma", "journal_mode(DELETE)")
	}
	return (&url.URL{Scheme: "file", OmitHost: true, Path: filepath.ToSlash(path)}).String() + "?" + values.Encode()
}

// syncDir makes the names in a folder durable.
func syncDir(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := f.Sync(); err != nil && hasModes { // some systems cannot do it, and need not
		return err
	}
	return nil
}
