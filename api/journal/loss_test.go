package journal_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/api/statefile"
)

// writtenJournal returns a folder with a closed journal that has a payment by carl.
func writtenJournal(t testing.TB, c *clock) string {
	t.Helper()
	dir := newDir(t)
	j := mustOpen(t, dir, c)
	_, err := j.Begin(t.Context(), initiation(t, 1250), carl, nil)
	noError(t, errors.Join(err, j.Close()))
	return dir
}

// copyJournal copies what a console leaves when it is killed now, and the machine with it: not the index of the log.
func copyJournal(t testing.TB, dir string) (to string) {
	t.Helper()
	to, err := os.MkdirTemp(t.TempDir(), "")
	noError(t, err)
	for _, name := range []string{"journal.db", "journal.db-wal", "journal.head", "journal.db.losses", "journal.key"} {
		switch b, err := os.ReadFile(filepath.Join(dir, name)); {
		case err == nil:
			noError(t, os.WriteFile(filepath.Join(to, name), b, 0o600))
		case !errors.Is(err, fs.ErrNotExist):
			t.Fatal(err)
		}
	}
	return to
}

// mustRecord records a payment that was accepted, an hour after the last one.
func mustRecord(t testing.TB, j *journal.Journal, c *clock, minor int64) {
	t.Helper()
	c.advance(time.Hour)
	a := mustBegin(t, j, initiation(t, minor))
	mustEnd(t, j, a.ID, accepted(fmt.Sprint("REF-", minor), "PENDING"))
}

// expectLoss starts consoles, some of which are killed: a loss stands for all of them, and nothing is sent, until it is
// acknowledged.
func expectLoss(t *testing.T, dir string, c *clock, why string) {
	t.Helper()
	for range 2 {
		j, err := openJournal(t.Context(), journal.Options{Dir: dir, Now: c.now})
		if !errors.Is(err, journal.ErrLoss) || !strings.Contains(err.Error(), why) {
			t.Fatalf("the loss is not reported: %v", err)
		}
		if _, err := j.Begin(t.Context(), initiation(t, 99), ledger.Payer{}, nil); !errors.Is(err, journal.ErrLoss) || !errors.Is(err, api.ErrNotSent) {
			t.Error("a payment is sent before the loss was acknowledged")
		}
		if _, _, err := j.Attempts(t.Context(), journal.Filter{}, 0, 9); err != nil {
			t.Error("what is left cannot be read:", err)
		}
		dir = copyJournal(t, dir) // a kill
		if len(j.KnownLosses()) == 0 {
			t.Error("the screens do not know of it")
		}
		noError(t, j.Close())
	}
	noError(t, openAfterLoss(t, dir, c).Close())
	mustOpen(t, dir, c).Close()
}

// damagedBackup is where a damaged journal was set aside; "" for none.
func damagedBackup(j *journal.Journal) string {
	all, _ := filepath.Glob(j.Path() + ".damaged-*")
	return strings.Join(all[:min(len(all), 1)], "") // before what SQLite had beside it
}

// openAfterLoss opens a journal that lost something, and acknowledges that.
func openAfterLoss(t testing.TB, dir string, c *clock) *journal.Journal {
	t.Helper()
	j, err := openJournal(t.Context(), journal.Options{Dir: dir, Now: c.now})
	t.Cleanup(func() { j.Close() })
	if !errors.Is(err, journal.ErrLoss) {
		t.Fatal("the loss is not reported:", err)
	}
	all := j.Losses()
	c.advance(time.Hour) // a person reads
	noError(t, j.AcknowledgeLosses(all))
	return j
}

// A payment costs the two syncs of its commits: the log has it, and the file only once the console has a moment.
func TestWhatIsRecordedIsInTheLogUntilTheConsoleHasAMoment(t *testing.T) {
	t.Parallel()
	needsFile(t)
	oneAtATime(t)
	c := newClock()
	dir := writtenJournal(t, c)
	j := mustOpen(t, dir, c)
	alone := func() string {
		of := copyJournal(t, dir)
		noError(t, os.Remove(filepath.Join(of, "journal.db-wal")))
		return of
	}
	before := must(os.ReadFile(j.Path()))
	for i := range int64(9) {
		mustRecord(t, j, c, 5000+i)
		mustOpen(t, copyJournal(t, dir), c).Close() // a kill loses nothing
	}
	if !bytes.Equal(before, must(os.ReadFile(j.Path()))) {
		t.Error("a payment waits until the file is written as well")
	}
	expectLoss(t, alone(), c, "the last records")
	noError(t, j.Look(t.Context()))
	isRemembered(t, dir)
	mustOpen(t, alone(), c).Close()
	mustRecord(t, j, c, 6000)
	noError(t, j.Close())
	isRemembered(t, dir)
}

// isRemembered is that the file is the one that is remembered, so that a check that it passed need not be repeated.
func isRemembered(t *testing.T, dir string) {
	t.Helper()
	var is struct{ Size, Modified int64 }
	noError(t, json.Unmarshal(must(os.ReadFile(filepath.Join(dir, "journal.head"))), &is))
	if about := must(os.Stat(filepath.Join(dir, "journal.db"))); about.Size() != is.Size || about.ModTime().UnixNano() != is.Modified {
		t.Errorf("the file has %d bytes of %d, and %d is remembered of %d", about.Size(), about.ModTime().UnixNano(), is.Size, is.Modified)
	}
}

// A kill left records in the log, of which a part is gone, or an older copy of the journal is put in its place.
func TestRecordsThatAreLostAfterAKillAreReported(t *testing.T) {
	t.Parallel()
	needsFile(t)
	oneAtATime(t)
	c := newClock()
	dir := writtenJournal(t, c)
	j := mustOpen(t, dir, c)
	mustRecord(t, j, c, 5000)
	early := copyJournal(t, dir)
	goesBack := c.now()
	for i := range int64(3) {
		mustRecord(t, j, c, 5010+i)
	}
	killed := copyJournal(t, dir)
	noError(t, j.Close())
	mix := func(files ...string) (dir string) {
		dir = copyJournal(t, killed)
		for _, file := range files {
			noError(t, os.WriteFile(filepath.Join(dir, file), must(os.ReadFile(filepath.Join(early, file))), 0o600))
		}
		return dir
	}
	older := mix("journal.db", "journal.db-wal")
	k, err := openJournal(t.Context(), journal.Options{Dir: copyJournal(t, older), Now: c.now})
	if want := "Records from " + goesBack.Local().Format("2006-01-02 15:04"); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, not %q", err, want)
	}
	noError(t, k.Close())
	expectLoss(t, older, c, "the last records")

	log := must(os.ReadFile(filepath.Join(killed, "journal.db-wal")))
	damaged := slices.Clone(log)
	damaged[60] ^= 1 // in its head
	for _, left := range [][]byte{log[:len(log)/2], damaged} {
		dir := mix()
		noError(t, os.WriteFile(filepath.Join(dir, "journal.db-wal"), left, 0o600))
		expectLoss(t, dir, c, "the last records")
	}

	mustOpen(t, mix("journal.head"), c).Close() // which is also what a kill leaves before it is written
}

// Records that are removed on purpose are not reported as lost.
func TestNoLossIsReportedAfterAPurgeOfEverything(t *testing.T) {
	t.Parallel()
	needsFile(t)
	oneAtATime(t)
	c := newClock()
	dir := writtenJournal(t, c)
	j := mustOpen(t, dir, c)
	mustRecord(t, j, c, 5000)
	killed := copyJournal(t, dir)
	must(j.Purge(t.Context(), c.now().Add(time.Hour)))
	mustOpen(t, copyJournal(t, dir), c).Close()
	noError(t, j.Close())
	head := must(os.ReadFile(filepath.Join(killed, "journal.head"))) // killed before it was written
	noError(t, os.WriteFile(filepath.Join(dir, "journal.head"), head, 0o600))
	mustRecord(t, mustOpen(t, dir, c), c, 7000)
}

func deleteJournal(t *testing.T, dir string) {
	noError(t, statefile.RemoveDatabase(filepath.Join(dir, "journal.db")))
}

// Whatever takes the memory of a journal away stands until a person has acknowledged it, also where a person has tidied up
// beside the journal, and deleted the file that says what is missing, and even the one that says how far the journal had come.
func TestWhateverTakesMemoryAwayStandsUntilItIsAcknowledged(t *testing.T) {
	t.Parallel()
	needsFile(t)
	oneAtATime(t)
	c := newClock()
	restore := func(dir string) {
		j := mustOpen(t, dir, c)
		backup := filepath.Join(t.TempDir(), "backup")
		must(j.Backup(t.Context(), backup))
		for i := range int64(30) { // more than is in the log once it was written into the file
			mustRecord(t, j, c, 5000+i)
		}
		noError(t, j.Look(t.Context()))
		mustRecord(t, j, c, 6000)
		log := must(os.ReadFile(j.Path() + "-wal"))
		noError(t, j.Close())
		deleteJournal(t, dir)
		noError(t, os.WriteFile(j.Path()+"-wal", log, 0o600)) // as it is after a kill
		r := must(journal.New(journal.Options{Dir: dir}).Restore(t.Context(), backup))
		if kept := must(os.ReadFile(r.SetAside)); !bytes.Equal(kept, log) {
			t.Errorf("the log of the deleted journal is not kept as %s", r.SetAside)
		}
		noError(t, journal.FullCheck(t.Context(), dir))
	}
	older := func(dir string) { // in the first session: nothing was checked yet
		noError(t, os.RemoveAll(dir))
		j := mustOpen(t, dir, c)
		early := copyJournal(t, dir)
		mustRecord(t, j, c, 5000)
		noError(t, j.Close())
		noError(t, os.WriteFile(filepath.Join(dir, "journal.db"), must(os.ReadFile(filepath.Join(early, "journal.db"))), 0o600))
	}
	for name, act := range map[string]func(dir string){
		"restore in place of a deleted journal": restore,
		"damaged": func(dir string) {
			execSQL(t, filepath.Join(dir, "journal.db"), "UPDATE entries SET outcome = 'refused'")
		},
		"deleted with its head": func(dir string) {
			deleteJournal(t, dir)
			noError(t, os.Remove(filepath.Join(dir, "journal.head")))
		},
		"its head deleted while a console runs": func(dir string) {
			j := mustOpen(t, dir, c)
			noError(t, errors.Join(os.Remove(filepath.Join(dir, "journal.head")), j.Close()))
		},
		"its head cut": func(dir string) { noError(t, os.Truncate(filepath.Join(dir, "journal.head"), 9)) },
		"older":        older,
	} {
		t.Run(name, func(t *testing.T) {
			dir := writtenJournal(t, c)
			act(dir)
			tidied := copyJournal(t, dir)
			expectLoss(t, dir, c, "")
			j := journal.New(journal.Options{Dir: tidied, Now: c.now})
			if err := j.Check(t.Context()); !errors.Is(err, journal.ErrLoss) {
				t.Fatal(err)
			}
			noError(t, j.Close())
			cut := copyJournal(t, tidied)
			noError(t, os.Truncate(filepath.Join(cut, "journal.db.losses"), 9))
			expectLoss(t, cut, c, "cannot be read")
			noError(t, os.Remove(filepath.Join(tidied, "journal.db.losses")))
			bare := copyJournal(t, tidied)
			noError(t, os.Remove(filepath.Join(bare, "journal.head")))
			for _, dir := range []string{tidied, bare} {
				expectLoss(t, dir, c, "was deleted")
			}
		})
	}
}

// What is taken away under a console that runs is a loss: at once for who follows it, and at its next use.
func TestAJournalThatIsTakenAwayUnderAConsoleIsALoss(t *testing.T) {
	t.Parallel()
	needsFile(t)
	for name, isNewFile := range map[string]bool{"replaced": true, "overwritten": false} { // the latter where it is, as by cp
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, dir, backup := newClock(), newDir(t), filepath.Join(t.TempDir(), "backup")
			j := mustOpen(t, dir, c)
			defer j.Close()
			mustRecord(t, j, c, 5000)
			must(j.Backup(t.Context(), backup))
			mustRecord(t, j, c, 6000)
			noError(t, j.Look(t.Context())) // what is only in the log survives an overwritten file
			followed, stop := context.WithCancel(t.Context())
			defer stop()
			lost := make(chan struct{}, 1)
			go j.Follow(followed, func() { lost <- struct{}{} })
			if isNewFile {
				deleteJournal(t, dir)
			}
			noError(t, os.WriteFile(filepath.Join(dir, "journal.db"), must(os.ReadFile(backup)), 0o600))
			<-lost
			if len(j.KnownLosses()) != 1 {
				t.Error("what is known without a use is", j.KnownLosses())
			}
			stop()
			if _, _, err := j.Attempts(t.Context(), journal.Filter{}, 0, 9); err != nil { // looking finds it
				t.Error(err)
			}
			if len(j.KnownLosses()) != 1 {
				t.Error("the losses that stand are", j.KnownLosses())
			}
			if _, err := j.Begin(t.Context(), initiation(t, 6000), ledger.Payer{}, nil); !errors.Is(err, journal.ErrLoss) {
				t.Error("it is sent again:", err)
			}
			noError(t, j.AcknowledgeLosses(j.Losses()))
			mustBegin(t, j, initiation(t, 7000))
		})
	}
}

// An older copy is written over the file while the log has what is to be written into it: the two make up all that was
// recorded, or it is a loss.
func TestAnOlderCopyBelowALogIsWholeOrALoss(t *testing.T) {
	t.Parallel()
	needsFile(t)
	oneAtATime(t)
	for range repeats(4, 20) {
		c, dir := newClock(), newDir(t)
		j := mustOpen(t, dir, c)
		recorded := 0
		record := func(n int) {
			for range n {
				mustRecord(t, j, c, int64(1000+recorded))
				recorded++
			}
			noError(t, j.RecordStatus(t.Context(), shop, "REF-1000", api.ParseStatus("SUCCESSFUL")))
		}
		record(1 + rand.IntN(20))
		noError(t, j.Look(t.Context()))
		older := must(os.ReadFile(j.Path()))
		record(rand.IntN(4))
		noError(t, j.Look(t.Context()))
		record(rand.IntN(4))
		noError(t, os.WriteFile(j.Path(), older, 0o600))
		noError(t, j.Look(t.Context()))
		if len(j.KnownLosses()) > 0 {
			continue
		}
		if a, err := j.Audit(t.Context(), nil); err != nil || a.Attempts != recorded || len(a.Differs) > 0 {
			t.Errorf("%d of %d payments, %q, %v", a.Attempts, recorded, a.Differs, err)
		}
		noError(t, j.Close())
	}
}
