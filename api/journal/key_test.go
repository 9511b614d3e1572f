package journal_test

import (
	"bytes"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"paydesk/api/journal"
	"paydesk/api/ledger"
)

var carl = ledger.Payer{Email: "carl@example.org"}

// keyFile is the file of the key of the hashes.
func keyFile(dir string) string { return filepath.Join(dir, "journal.key") }

// holdsNoKey checks that only the key's own file holds the key.
func holdsNoKey(t *testing.T, dir string, key []byte) {
	t.Helper()
	for _, path := range must(filepath.Glob(filepath.Join(dir, "*"))) {
		if path == keyFile(dir) || filepath.Base(path) == "outcomes" {
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
	t.Parallel()
	needsFile(t)
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

func TestWithoutItsKeyNothingIsSentUntilItIsBack(t *testing.T) {
	t.Parallel()
	needsFile(t)
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
	_, is := err.(*ledger.Duplicate)
	return is
}

func TestAJournalWithoutHashesTakesANewKey(t *testing.T) {
	t.Parallel()
	needsFile(t)
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
	t.Parallel()
	needsFile(t)
	c := newClock()
	dir := aPayment(t, c)
	noError(t, os.Remove(keyFile(dir)))
	noError(t, os.Rename(filepath.Join(dir, "journal.db"), filepath.Join(dir, "journal.old")))
	j := openAfterLoss(t, dir, c)
	defer j.Close()
	_, err := j.Begin(t.Context(), initiation(t, 1250), carl, nil)
	noError(t, err)
}

// exported is the key of a file, as it is handed over.
func exported(t *testing.T, path string) string {
	t.Helper()
	var b bytes.Buffer
	noError(t, journal.KeyFile(path).Export(&b))
	return b.String()
}

func TestAKeyIsHandedOverAsAFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "config", "journal.key")
	f, now := journal.KeyFile(path), newClock().now()
	if err := f.Export(io.Discard); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	for _, want := range []bool{true, false} {
		if made, err := f.Create(); made != want || err != nil {
			t.Errorf("created: %v %v", made, err)
		}
	}
	mine := exported(t, path)
	if b := must(os.ReadFile(path)); len(mine) != 65 || string(b) != mine {
		t.Errorf("%d characters were exported", len(mine))
	}
	other := filepath.Join(t.TempDir(), "folder", "other")
	noError(t, second(journal.KeyFile(other).Import(strings.NewReader(mine), false, now)))
	if m := must(os.Stat(other)).Mode().Perm(); exported(t, other) != mine || m != 0o600 && runtime.GOOS != "windows" {
		t.Errorf("mode %o", m)
	}
	if c, err := f.Import(strings.NewReader(strings.TrimSpace(mine)), false, now); err != nil || c != (journal.KeyChange{Same: true}) {
		t.Errorf("the same: %+v %v", c, err)
	}
	theirs := strings.Repeat("0a", 32)
	if _, err := f.Import(strings.NewReader(theirs), false, now); err != journal.ErrOtherKey || exported(t, path) != mine {
		t.Errorf("another: %v", err)
	}
	c, err := f.Import(strings.NewReader(theirs), true, now)
	if err != nil || exported(t, path) != theirs+"\n" || exported(t, c.SetAside) != mine {
		t.Errorf("replaced: %+v %v", c, err)
	}
}

func TestWhatIsNoKeyIsNotImported(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "journal.key")
	f, now := journal.KeyFile(path), newClock().now()
	for _, text := range []string{"", "CANARY", strings.Repeat("0", 63), strings.Repeat("0", 66), strings.Repeat("0", 9999)} {
		_, err := f.Import(strings.NewReader(text), true, now)
		if why := unavailableText(t, err); !strings.Contains(why, "Nothing was changed") || strings.Contains(why, "CANARY") {
			t.Error(why)
		}
	}
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	noError(t, os.WriteFile(path, []byte("no key"), 0o600))
	for _, err := range []error{second(f.Create()), f.Export(io.Discard)} {
		if why := unavailableText(t, err); !strings.Contains(why, "not hold a journal key") {
			t.Error(why)
		}
	}
	key := strings.Repeat("0a", 32)
	if _, err := f.Import(strings.NewReader(key), false, now); err != journal.ErrOtherKey {
		t.Error(err)
	}
	if c, err := f.Import(strings.NewReader(key), true, now); err != nil || string(must(os.ReadFile(c.SetAside))) != "no key" {
		t.Error(err)
	}
	if runtime.GOOS == "windows" {
		return
	}
	noError(t, os.Chmod(path, 0o640))
	if why := unavailableText(t, f.Export(io.Discard)); !strings.Contains(why, "chmod 600 "+path) {
		t.Error(why)
	}
}

// second is the error of a result.
func second[T any](_ T, err error) error { return err }
