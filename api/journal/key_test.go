package journal_test

import (
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
		j, err := openJournal(t.Context(), journal.Options{Dir: dir, Now: now.now})
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

// second is the error of a result.
func second[T any](_ T, err error) error { return err }
