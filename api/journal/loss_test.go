package journal_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"paydesk/api/journal"
)

// mustRecord records a payment that was accepted, an hour after the last one.
func mustRecord(t testing.TB, j *journal.Journal, c *clock, minor int64) {
	t.Helper()
	c.advance(time.Hour)
	a := mustBegin(t, j, initiation(t, minor))
	mustEnd(t, j, a.ID, accepted(fmt.Sprint("REF-", minor), "PENDING"))
}

// expectLoss starts a console twice: the first one reports the loss and sends nothing, the second one goes on.
func expectLoss(t *testing.T, dir string, c *clock) {
	t.Helper()
	killed := copyJournal(t, dir)
	for _, at := range []string{dir, killed} {
		j, err := journal.Open(t.Context(), journal.Options{Dir: at, Now: c.now})
		if err == nil || !strings.HasPrefix(err.Error(), "The last records of the journal are lost") {
			t.Fatalf("the loss is not reported: %v, set aside %q", err, j.DamagedBackup())
		}
		if _, err := j.Begin(t.Context(), initiation(t, 99), journal.Payer{}, nil); err == nil {
			t.Error("a payment is sent before the loss was seen")
		}
		if _, _, err := j.Attempts(t.Context(), journal.Filter{}, 0, 9); err != nil {
			t.Error("what is left cannot be read:", err)
		}
		if at == killed {
			killed = copyJournal(t, at)
			_, err := journal.Open(t.Context(), journal.Options{Dir: killed, Now: c.now})
			if err == nil {
				t.Error("a console that is killed takes the report with it")
			}
		}
		noError(t, j.Close())
	}
	for range 2 {
		mustOpen(t, dir, c).Close()
	}
	expectRemembered(t, dir, true)
}

// A long read, such as that of a backup program, keeps commits in the log.
func TestRecordsThatAreLostWithTheLogAreReported(t *testing.T) {
	needsFile(t)
	oneAtATime(t)
	c := newClock()
	dir := remembered(t, c)
	path := filepath.Join(dir, "journal.db")
	j := mustOpen(t, dir, c)
	mustRecord(t, j, c, 5000)
	db, err := sql.Open("sqlite", "file:"+path+"?mode=ro")
	noError(t, err)
	defer db.Close()
	tx, err := db.BeginTx(context.Background(), nil)
	noError(t, err)
	var n int
	noError(t, tx.QueryRow("SELECT count(*) FROM attempts").Scan(&n))
	for i := range int64(4) {
		mustRecord(t, j, c, 5010+i)
		mustOpen(t, copyJournal(t, dir), c).Close() // a kill loses nothing
	}
	for name, lose := range map[string]func(log string, b []byte) error{
		"deleted":      func(log string, _ []byte) error { return os.Remove(log) },
		"truncated":    func(log string, b []byte) error { return os.Truncate(log, int64(len(b)/2)) },
		"damaged":      func(log string, b []byte) error { b[len(b)/2] ^= 1; return os.WriteFile(log, b, 0o600) },
		"damaged head": func(log string, b []byte) error { b[60] ^= 1; return os.WriteFile(log, b, 0o600) },
	} {
		t.Run(name, func(t *testing.T) {
			killed := copyJournal(t, dir)
			log := filepath.Join(killed, "journal.db-wal")
			b, err := os.ReadFile(log)
			noError(t, err)
			noError(t, lose(log, b))
			expectLoss(t, killed, c)
		})
	}
	noError(t, tx.Rollback())
	noError(t, j.Close())
	mustOpen(t, dir, c).Close()
}

func TestAnOlderCopyOfTheJournalIsReported(t *testing.T) {
	needsFile(t)
	oneAtATime(t)
	c := newClock()
	dir := remembered(t, c)
	j := mustOpen(t, dir, c)
	mustRecord(t, j, c, 5000)
	early := copyJournal(t, dir)
	goesBack := c.now()
	for i := range int64(3) {
		mustRecord(t, j, c, 5010+i)
	}
	killed := copyJournal(t, dir)
	noError(t, j.Close())
	for name, older := range map[string][]string{
		"log":             {"journal.db-wal"},
		"journal and log": {"journal.db", "journal.db-wal"},
	} {
		t.Run(name, func(t *testing.T) {
			mixed := copyJournal(t, killed)
			for _, file := range older {
				b, err := os.ReadFile(filepath.Join(early, file))
				noError(t, err)
				noError(t, os.WriteFile(filepath.Join(mixed, file), b, 0o600))
			}
			k, err := journal.Open(t.Context(), journal.Options{Dir: copyJournal(t, mixed), Now: c.now})
			if k.DamagedBackup() != "" {
				return // an old log may make a mess of a newer file, which is found
			}
			if want := "it goes back to " + goesBack.Format("2006-01-02 15:04"); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%v, not %q", err, want)
			}
			noError(t, k.Close())
			expectLoss(t, mixed, c)
		})
	}
	t.Run("journal alone", func(t *testing.T) {
		mixed := copyJournal(t, dir)
		b, err := os.ReadFile(filepath.Join(early, "journal.db"))
		noError(t, err)
		noError(t, os.WriteFile(filepath.Join(mixed, "journal.db"), b, 0o600))
		os.Remove(filepath.Join(mixed, "journal.db-wal"))
		expectLoss(t, mixed, c)
	})
	t.Run("sums alone", func(t *testing.T) { // also what a kill leaves before they are written
		mixed := copyJournal(t, killed)
		b, err := os.ReadFile(filepath.Join(early, "journal.db.sums"))
		noError(t, err)
		noError(t, os.WriteFile(filepath.Join(mixed, "journal.db.sums"), b, 0o600))
		mustOpen(t, mixed, c).Close()
		mustOpen(t, mixed, c).Close()
	})
}

// In the first session of a journal nothing was checked yet.
func TestALossOfTheFirstSessionIsReported(t *testing.T) {
	needsFile(t)
	onlyWhereRemembered(t)
	c := newClock()
	dir := newDir(t)
	j := mustOpen(t, dir, c)
	early := copyJournal(t, dir)
	mustRecord(t, j, c, 5000)
	noError(t, j.Close())
	b, err := os.ReadFile(filepath.Join(early, "journal.db"))
	noError(t, err)
	noError(t, os.WriteFile(filepath.Join(dir, "journal.db"), b, 0o600))
	os.Remove(filepath.Join(dir, "journal.db-wal"))
	expectLoss(t, dir, c)
}

// Records that are removed or replaced on purpose are not reported as lost.
func TestNoLossIsReportedWhereNothingIsLost(t *testing.T) {
	needsFile(t)
	oneAtATime(t)
	c := newClock()
	for name, act := range map[string]func(t *testing.T, dir string){
		"purge of everything": func(t *testing.T, dir string) {
			j := mustOpen(t, dir, c)
			mustRecord(t, j, c, 5000)
			killed := copyJournal(t, dir)
			_, err := j.Purge(t.Context(), c.now().Add(time.Hour))
			noError(t, err)
			mustOpen(t, copyJournal(t, dir), c).Close()
			sums, err := os.ReadFile(filepath.Join(killed, "journal.db.sums")) // killed before they were written
			noError(t, err)
			noError(t, j.Close())
			noError(t, os.WriteFile(filepath.Join(dir, "journal.db.sums"), sums, 0o600))
		},
		"restore": func(t *testing.T, dir string) {
			j := mustOpen(t, dir, c)
			backup := filepath.Join(t.TempDir(), "backup")
			_, err := j.Backup(t.Context(), backup)
			noError(t, err)
			mustRecord(t, j, c, 5000)
			noError(t, j.Close())
			_, err = journal.New(journal.Options{Dir: dir}).Restore(t.Context(), backup)
			noError(t, err)
		},
		"restore in place of a deleted journal": func(t *testing.T, dir string) {
			j := mustOpen(t, dir, c)
			backup := filepath.Join(t.TempDir(), "backup")
			_, err := j.Backup(t.Context(), backup)
			noError(t, err)
			mustRecord(t, j, c, 5000)
			noError(t, j.Close())
			deleteJournal(t, dir)
			_, err = journal.New(journal.Options{Dir: dir}).Restore(t.Context(), backup)
			noError(t, err)
		},
		"a journal that was deleted": deleteJournal,
		"a shell": func(t *testing.T, dir string) {
			execSQL(t, filepath.Join(dir, "journal.db"), "DELETE FROM attempts; PRAGMA wal_checkpoint(TRUNCATE); VACUUM")
		},
		"an older console": func(t *testing.T, dir string) { // counts nothing, and knows another format
			path := filepath.Join(dir, "journal.db")
			execSQL(t, path, "DELETE FROM facts WHERE name = 'progress'")
			f, err := os.OpenFile(path+".sums", os.O_RDWR, 0)
			noError(t, err)
			_, err = f.WriteAt([]byte{1}, 5)
			noError(t, errors.Join(err, f.Close()))
		},
		"no sums": func(t *testing.T, dir string) {
			noError(t, os.Remove(filepath.Join(dir, "journal.db.sums")))
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := remembered(t, c)
			act(t, dir)
			for i := range int64(3) {
				j := mustOpen(t, dir, c)
				if j.DamagedBackup() != "" {
					t.Error("set aside")
				}
				mustRecord(t, j, c, 7000+i)
				noError(t, j.Close())
			}
		})
	}
}

func deleteJournal(t *testing.T, dir string) {
	for _, name := range []string{"journal.db", "journal.db-wal", "journal.db-shm"} {
		if err := os.Remove(filepath.Join(dir, name)); !errors.Is(err, fs.ErrNotExist) {
			noError(t, err)
		}
	}
}
