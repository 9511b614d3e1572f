package journal_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"paydesk/api/journal"
)

// closedLarge returns the folder of a journal that counts as large, with an attempt, that was checked and
// closed.
func closedLarge(t *testing.T, c *clock) (dir string, a journal.Attempt) {
	t.Helper()
	t.Cleanup(journal.VerifyInBackground())
	dir = newDir(t)
	j := mustOpen(t, dir, c)
	a = mustBegin(t, j, initiation(t, 1250))
	mustEnd(t, j, a.ID, accepted("REF-1", "SUCCESSFUL"))
	noError(t, j.Close())
	return dir, a
}

func TestAStartDoesNotCheckAgainWhatTheLastConsoleClosed(t *testing.T) {
	c := newClock()
	dir, a := closedLarge(t, c)
	for n := range int64(3) {
		c.advance(7 * time.Hour)
		j := mustOpen(t, dir, c)
		if j.IsChecked() {
			t.Errorf("start %d, %d hours after the check: everything is checked again", n+1, 7*(n+1))
		}
		mustAttempt(t, j, a.ID)
		mustBegin(t, j, initiation(t, 2000+n))
		noError(t, j.Close())
	}
	c.advance(3 * time.Hour)
	j := mustOpen(t, dir, c)
	if !j.IsChecked() {
		t.Fatal("nothing is checked after a day")
	}
	j.WaitForIntegrityCheck()
	noError(t, j.Close())
	if j = mustOpen(t, dir, c); j.IsChecked() {
		t.Error("the check after a day is not remembered")
	}
}

func TestAStartChecksEverythingUnlessTheFileIsKnownToBeSound(t *testing.T) {
	for name, happens := range map[string]func(t *testing.T, path string, c *clock){
		"another program wrote to it": func(t *testing.T, path string, _ *clock) {
			execSQL(t, path, "UPDATE attempts SET minor = 1")
		},
		"two pages changed places": func(t *testing.T, path string, _ *clock) {
			b := must(os.ReadFile(path))
			last := append([]byte(nil), b[len(b)-4096:]...)
			copy(b[len(b)-4096:], b[len(b)-8192:])
			copy(b[len(b)-8192:], last)
			noError(t, os.WriteFile(path, b, 0o600))
		},
		"the note is missing": func(t *testing.T, path string, _ *clock) { noError(t, os.Remove(path+".checked")) },
		"the note is damaged": func(t *testing.T, path string, _ *clock) {
			b := must(os.ReadFile(path + ".checked"))
			b[4] ^= 1
			noError(t, os.WriteFile(path+".checked", b, 0o600))
		},
		"the note is cut": func(t *testing.T, path string, _ *clock) { noError(t, os.Truncate(path+".checked", 9)) },
		"the clock went back": func(_ *testing.T, _ string, c *clock) {
			c.advance(-time.Hour)
		},
		"another console has it open": func(t *testing.T, path string, c *clock) {
			mustBegin(t, mustOpen(t, filepath.Dir(path), c), initiation(t, 3000))
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := newClock()
			dir, _ := closedLarge(t, c)
			happens(t, filepath.Join(dir, "journal.db"), c)
			j := journal.New(journal.Options{Dir: dir, Now: c.now})
			defer j.Close()
			_ = j.Check(t.Context())
			if !j.IsChecked() && j.DamagedBackup() == "" {
				t.Error("it is not checked")
			}
		})
	}
}

// A console that ends before its check has ended leaves the check to the next start.
func TestACheckThatHasNotEndedIsNotRemembered(t *testing.T) {
	c := newClock()
	dir, _ := closedLarge(t, c)
	noError(t, os.Remove(filepath.Join(dir, "journal.db.checked")))
	j := mustOpen(t, dir, c)
	j.CancelIntegrityCheck()
	noError(t, j.Close())
	if j = mustOpen(t, dir, c); !j.IsChecked() {
		t.Error("it counts as checked")
	}
}

// Damage that a closed journal took is found by the next start, however large the file is, and before
// the day is over.
func TestDamageAfterTheLastCheckIsFound(t *testing.T) {
	c := newClock()
	dir, a := closedLarge(t, c)
	path := filepath.Join(dir, "journal.db")
	before := must(os.ReadFile(path))
	// The guard against duplicates loses its index. No row is wrong.
	execSQL(t, path, "PRAGMA writable_schema = ON; DELETE FROM sqlite_schema WHERE name = 'attempts_alike'")
	if string(before) == string(must(os.ReadFile(path))) {
		t.Fatal("nothing was damaged")
	}
	j := mustOpen(t, dir, c)
	j.WaitForIntegrityCheck()
	_, err := j.Attempt(t.Context(), a.ID)
	if err == nil || !strings.Contains(err.Error(), "damaged") {
		t.Errorf("after the check: %v", err)
	}
}
