package journal

import (
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"io"
	"os"
	"os/user"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/api/statefile"
)

const fileName = "journal.db"

// CurrentOperator returns the operating system's user, the name of the machine, and the address
// of the SSH client, which is the first word of SSH_CONNECTION or SSH_CLIENT. Where sshd exposes whose key opened the
// session, that person comes before the user, whose account may be that of several: "ada@laptop (desk)".
func CurrentOperator(getenv func(string) string) ledger.Operator {
	o := ledger.Operator{User: getenv("USER")}
	if u, err := user.Current(); err == nil {
		o.User = u.Username
	}
	if person := keyHolder(getenv("SSH_USER_AUTH"), filepath.Join(getenv("HOME"), ".ssh", "authorized_keys")); person != "" {
		o.User = person + " (" + o.User + ")"
	}
	o.Host, _ = os.Hostname()
	o.SSH, _, _ = strings.Cut(cmp.Or(getenv("SSH_CONNECTION"), getenv("SSH_CLIENT")), " ")
	return o.Stored()
}

const (
	mostOfSSH  = 1 << 20 // bytes that are read of a file of SSH
	mostOfName = 40      // cells of a key's comment
)

// keyHolder is the comment that a key has in the file of those that may log in, or its fingerprint where it has none of
// its own; "" without a key. auth is the file of sshd's ExposeAuthInfo, with a line such as "publickey ssh-ed25519 AAAA…".
func keyHolder(auth, authorized string) string {
	for line := range strings.Lines(readRegular(auth)) {
		if f := strings.Fields(line); len(f) == 3 && f[0] == "publickey" {
			raw, err := base64.StdEncoding.DecodeString(f[2])
			if err != nil {
				return ""
			}
			sum := sha256.Sum256(raw)
			return cmp.Or(commentOf(f[2], readRegular(authorized)), "SHA256:"+base64.RawStdEncoding.EncodeToString(sum[:]))
		}
	}
	return ""
}

// commentOf is the comment of a key in the lines of authorized_keys; "" for one that another key has too.
func commentOf(key, lines string) (comment string) {
	named := map[string]bool{}
	for line := range strings.Lines(lines) {
		f := strings.Fields(line)
		at := slices.IndexFunc(f, func(s string) bool { return strings.HasPrefix(s, "AAAA") }) // after options and the kind
		if at < 0 || strings.HasPrefix(f[0], "#") {
			continue
		}
		words := api.Clean(strings.Join(f[at+1:], " ")).Line(mostOfName)
		if f[at] == key {
			comment = words
		} else {
			named[words] = true
		}
	}
	if named[comment] {
		return ""
	}
	return comment
}

// readRegular is the beginning of a file; "" for what cannot be read or could make a start wait, such as a pipe.
func readRegular(path string) string {
	if info, err := os.Stat(path); path == "" || err != nil || !info.Mode().IsRegular() {
		return ""
	}
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	all, _ := io.ReadAll(io.LimitReader(f, mostOfSSH))
	return string(all)
}

// Elsewhere are folders of this user beside that of the journal, for [Options.Elsewhere]: the cache, and the one that lasts
// as long as the user is logged in, which is on another disk nearly always. Others can read neither.
func Elsewhere(getenv func(string) string) (all []string) {
	home, cache := getenv("HOME"), getenv("XDG_CACHE_HOME")
	if !filepath.IsAbs(cache) && filepath.IsAbs(home) {
		cache = filepath.Join(home, ".cache")
	}
	for _, dir := range []string{cache, getenv("XDG_RUNTIME_DIR")} {
		if filepath.IsAbs(dir) {
			all = append(all, filepath.Join(dir, "paydesk"))
		}
	}
	return all
}

// Dir returns the folder of the journal: flag (--state-dir) when it is set, else
// $XDG_STATE_HOME/paydesk, else %LOCALAPPDATA%\paydesk\state on Windows, else ~/.local/state/paydesk. When none
// is known the error is a [*ledger.Unavailable].
func Dir(flag string, getenv func(string) string) (string, error) {
	if flag != "" {
		dir, err := filepath.Abs(flag)
		if err != nil {
			return "", &ledger.Unavailable{Why: "The folder of the journal cannot be found. Give --state-dir as an absolute path.", Err: err}
		}
		return dir, nil
	}
	if state := getenv("XDG_STATE_HOME"); filepath.IsAbs(state) { // the XDG specification ignores a relative path
		return filepath.Join(state, "paydesk"), nil
	}
	// It comes before HOME, which only some shells of Windows set: all must use one journal.
	if local := getenv("LOCALAPPDATA"); runtime.GOOS == "windows" && filepath.IsAbs(local) {
		return filepath.Join(local, "paydesk", "state"), nil
	}
	if home := getenv("HOME"); filepath.IsAbs(home) {
		return filepath.Join(home, ".local", "state", "paydesk"), nil
	}
	return "", &ledger.Unavailable{Why: "The journal has no folder: XDG_STATE_HOME is not an absolute path, and HOME is not set. Choose one with --state-dir."}
}

// dsn returns the data source name for the driver, whose mode is SQLite's: ro, rw or memory. It creates no file, transactions
// take the write lock when they begin, and commits are synced to the disk.
func dsn(path, mode string) string {
	pragmas := []string{
		"busy_timeout(5000)", "synchronous(FULL)", "foreign_keys(1)", "mmap_size(0)", "secure_delete(1)", "trusted_schema(0)",
		"cell_size_check(1)", "journal_size_limit(0)", // nothing of an earlier log stays behind a shorter one
	}
	if mode == "ro" {
		pragmas = append(pragmas, "query_only(1)")
	}
	return statefile.Source(path, mode, pragmas...)
}
