package journal_test

import (
	"bytes"
	"database/sql"
	"encoding/hex"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"paydesk/api/journal"
)

var carl = journal.Payer{Email: "carl@example.org"}

// keyFile is the file of the key of the hashes.
func keyFile(dir string) string { return filepath.Join(dir, "journal.key") }

// holdsNoKey checks that only the key's own file holds the key.
func holdsNoKey(t *testing.T, dir string, key []byte) {
	t.Helper()
	for _, path := range must(filepath.Glob(filepath.Join(dir, "*"))) {
		if path == keyFile(dir) {
			continue
		}
		b := must(os.ReadFile(path))
		if bytes.Contains(b, key) || bytes.Contains(b, []byte(hex.EncodeToString(key))) {
			t.Errorf("%s holds the key", filepath.Base(path))
		}
	}
}

// aPayment is a journal with one payment by carl, closed.
func aPayment(t *testing.T, c *clock) (dir string) {
	t.Helper()
	dir = newDir(t)
	j := mustOpen(t, dir, c)
	_, err := j.Begin(t.Context(), initiation(t, 1250), carl, nil)
	noError(t, err)
	noError(t, j.Close())
	return dir
}

func TestTheKeyOfTheHashesIsInAFileOfItsOwn(t *testing.T) {
	dir := aPayment(t, newClock())
	text := must(os.ReadFile(keyFile(dir)))
	key, err := hex.DecodeString(strings.TrimSpace(string(text)))
	if err != nil || len(key) != 32 {
		t.Fatalf("%d bytes: %v", len(text), err)
	}
	if m := must(os.Stat(keyFile(dir))).Mode().Perm(); m != 0o600 && runtime.GOOS != "windows" {
		t.Errorf("mode %o", m)
	}
	holdsNoKey(t, dir, key)
}

func TestTheKeyOfVersion1MovesOutOfTheDatabase(t *testing.T) {
	for _, interrupted := range []bool{false, true} {
		dir, c := olderFile(t, "version1.db", nil), newClock()
		db := must(sql.Open("sqlite", filepath.Join(dir, "journal.db")))
		var key []byte
		noError(t, db.QueryRow("SELECT value FROM facts WHERE name = 'key'").Scan(&key))
		noError(t, db.Close())
		if interrupted { // after the key was written, before the database was changed
			noError(t, os.WriteFile(keyFile(dir), []byte(hex.EncodeToString(key)+"\n"), 0o600))
		}
		j := mustOpen(t, dir, c)
		holdsNoKey(t, dir, key)
		noError(t, j.Close())
		holdsNoKey(t, dir, key)
		if got := string(must(os.ReadFile(keyFile(dir)))); got != hex.EncodeToString(key)+"\n" || j.DamagedBackup() != "" {
			t.Errorf("the file holds %d bytes, and not the key", len(got))
		}
	}
	dir := olderFile(t, "version1.db", nil)
	noError(t, os.WriteFile(keyFile(dir), []byte(strings.Repeat("0", 64)), 0o600))
	j, err := journal.Open(t.Context(), journal.Options{Dir: dir})
	defer func() { j.Close() }()
	if why := unavailableText(t, err); !strings.Contains(why, "another journal") {
		t.Error(why)
	}
}

func TestWithoutItsKeyNothingIsSentUntilItIsBack(t *testing.T) {
	other := strings.Repeat("0", 64)
	for name, c := range map[string]struct {
		change func(path string) error
		why    []string
	}{
		"missing": {os.Remove, []string{"journal.key, is missing", "Put the right file back", "move journal.db"}},
		"another": {func(path string) error { return os.WriteFile(path, []byte(other), 0o600) }, []string{"is not the one"}},
		"cut":     {func(path string) error { return os.Truncate(path, 20) }, []string{"holds no key", "journal.db and journal.key"}},
		"open":    {func(path string) error { return os.Chmod(path, 0o644) }, []string{"other users can read it", "chmod 600"}},
	} {
		if name == "open" && runtime.GOOS == "windows" {
			continue
		}
		now := newClock()
		dir := aPayment(t, now)
		kept := must(os.ReadFile(keyFile(dir)))
		noError(t, c.change(keyFile(dir)))
		j, err := journal.Open(t.Context(), journal.Options{Dir: dir, Now: now.now})
		defer func() { j.Close() }()
		for _, want := range c.why {
			if why := unavailableText(t, err); !strings.Contains(why, want) {
				t.Errorf("%s: %q is not in %s", name, want, why)
			}
		}
		_, err = j.Begin(t.Context(), initiation(t, 9900), carl, nil)
		unavailableText(t, err)
		if all, _, err := j.Attempts(t.Context(), journal.Filter{}, 0, 9); err != nil || len(all) != 1 {
			t.Errorf("%s: it cannot be read: %d %v", name, len(all), err)
		}
		if err := os.Remove(j.Path() + ".lock"); runtime.GOOS != "windows" { // where nothing locks
			noError(t, err)
		}
		_ = os.Remove(keyFile(dir))
		noError(t, os.WriteFile(keyFile(dir), kept, 0o600))
		if _, err := j.Begin(t.Context(), initiation(t, 1250), carl, nil); !isDuplicate(err) {
			t.Errorf("%s: with the key back, carl is not recognised: %v", name, err)
		}
	}
}

func isDuplicate(err error) bool {
	_, is := err.(*journal.Duplicate)
	return is
}

func TestAJournalWithoutHashesTakesANewKey(t *testing.T) {
	dir, c := newDir(t), newClock()
	mustOpen(t, dir, c).Close()
	noError(t, os.Remove(keyFile(dir)))
	for range 2 {
		mustOpen(t, dir, c).Close()
	}
	noError(t, os.WriteFile(keyFile(dir), []byte(strings.Repeat("0", 64)), 0o600))
	j := mustOpen(t, dir, c)
	defer j.Close()
	_, err := j.Begin(t.Context(), initiation(t, 1250), carl, nil)
	noError(t, err)
}

// The key is lost, and a person begins a new journal as the console says.
func TestAJournalThatWasMovedAwayIsReplacedByANewOne(t *testing.T) {
	c := newClock()
	dir := aPayment(t, c)
	noError(t, os.Remove(keyFile(dir)))
	noError(t, os.Rename(filepath.Join(dir, "journal.db"), filepath.Join(dir, "journal.old")))
	j := mustOpen(t, dir, c)
	defer j.Close()
	_, err := j.Begin(t.Context(), initiation(t, 1250), carl, nil)
	noError(t, err)
}
