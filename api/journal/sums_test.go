package journal_test

import (
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"paydesk/api/journal"
)

// onlyWhereRemembered skips a test where each start checks the whole file.
func onlyWhereRemembered(t testing.TB) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("remembered on Linux alone")
	}
}

// remembered returns a folder with a closed journal that passed a check, and has been written since.
func remembered(t testing.TB, c *clock) string {
	t.Helper()
	onlyWhereRemembered(t)
	dir := newDir(t)
	mustOpen(t, dir, c).Close() // creates it
	j := mustOpen(t, dir, c)    // checks it
	j.WaitForIntegrityCheck()
	mustBegin(t, j, initiation(t, 1250))
	noError(t, j.Close())
	expectRemembered(t, dir, true)
	return dir
}

// expectRemembered looks at a copy, because looking settles what a console left.
func expectRemembered(t testing.TB, dir string, want bool) {
	t.Helper()
	to := copyJournal(t, dir)
	defer os.RemoveAll(to)
	if got := journal.IsRemembered(t.Context(), to); got != want {
		t.Errorf("remembered: %v", got)
	}
}

// copyJournal copies what a console leaves when it is killed now, and the machine with it: not the index of the log.
func copyJournal(t testing.TB, dir string) (to string) {
	t.Helper()
	to, err := os.MkdirTemp(t.TempDir(), "")
	noError(t, err)
	for _, name := range []string{"journal.db", "journal.db-wal", "journal.db.sums", "journal.db.losses", "journal.key"} {
		switch b, err := os.ReadFile(filepath.Join(dir, name)); {
		case err == nil:
			noError(t, os.WriteFile(filepath.Join(to, name), b, 0o600))
		case !errors.Is(err, fs.ErrNotExist):
			t.Fatal(err)
		}
	}
	return to
}

func TestAStartRemembersWhatPassed(t *testing.T) {
	needsFile(t)
	c := newClock()
	dir := remembered(t, c)
	j := mustOpen(t, dir, c)
	expectRemembered(t, dir, true) // a second console, while this one is open
	for n := range int64(40) {     // so that the file grows
		a := mustBegin(t, j, initiation(t, 2000+n))
		mustEnd(t, j, a.ID, accepted(fmt.Sprint("REF-", n), "PENDING"))
		expectRemembered(t, dir, true) // and a kill
	}
	two := mustOpen(t, dir, c)
	mustBegin(t, two, initiation(t, 3000))
	mustBegin(t, j, initiation(t, 3100))
	if _, err := two.Purge(t.Context(), c.now().Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	expectRemembered(t, dir, true)
	two.Close()
	j.Close()
	expectRemembered(t, dir, true)
}

// A start that checks a large file does so beside the first commits.
func TestWhatIsWrittenDuringACheckIsRememberedWithIt(t *testing.T) {
	needsFile(t)
	defer journal.VerifyInBackground()()
	c := newClock()
	dir := remembered(t, c)
	noError(t, os.Remove(filepath.Join(dir, "journal.db.sums")))
	expectRemembered(t, dir, false)
	j := mustOpen(t, dir, c)
	for n := range int64(10) {
		mustBegin(t, j, initiation(t, 2000+n))
	}
	j.WaitForIntegrityCheck()
	mustBegin(t, j, initiation(t, 2100))
	expectRemembered(t, dir, true)
	noError(t, j.Close())
	expectRemembered(t, dir, true)
}

func TestWhatAnotherProgramWritesIsNotRemembered(t *testing.T) {
	needsFile(t)
	c := newClock()
	for name, write := range map[string]string{
		"a row":        "UPDATE attempts SET minor = 1",
		"a sound fact": "INSERT INTO facts (name, value, checksum) VALUES ('another', '', '')",
	} {
		for _, open := range []bool{false, true} {
			t.Run(fmt.Sprint(name, open), func(t *testing.T) {
				dir := remembered(t, c)
				path := filepath.Join(dir, "journal.db")
				if open {
					j := mustOpen(t, dir, c)
					execSQL(t, path, write)
					_, _ = j.Begin(t.Context(), initiation(t, 1300), journal.Payer{}, nil)
					noError(t, j.Close())
				} else {
					execSQL(t, path, write)
				}
				expectRemembered(t, dir, false)
			})
		}
	}
}

// What is left of the sums of another journal, or of an earlier state of this one, remembers nothing.
func TestFilesThatDoNotBelongTogetherAreNotRemembered(t *testing.T) {
	needsFile(t)
	c := newClock()
	dir := remembered(t, c)
	was := copyJournal(t, dir)
	j := mustOpen(t, dir, c)
	mustBegin(t, j, initiation(t, 1300))
	for _, name := range []string{"journal.db", "journal.db-wal", "journal.db.sums"} {
		mixed := copyJournal(t, dir)
		b, err := os.ReadFile(filepath.Join(was, name))
		if errors.Is(err, fs.ErrNotExist) {
			b = nil
		}
		noError(t, os.WriteFile(filepath.Join(mixed, name), b, 0o600))
		if name == "journal.db-wal" {
			continue // all of it is in the file
		}
		expectRemembered(t, mixed, false)
	}
	from := filepath.Join(t.TempDir(), "backup")
	if _, err := j.Backup(t.Context(), from); err != nil {
		t.Fatal(err)
	}
	mustBegin(t, j, initiation(t, 1400))
	noError(t, j.Close())
	if _, err := journal.New(journal.Options{Dir: dir}).Restore(t.Context(), from); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "journal.db.sums")); !errors.Is(err, fs.ErrNotExist) {
		t.Error("the sums of the journal that was replaced are there", err)
	}
	expectRemembered(t, dir, false)
}

// A page that is damaged while the console is open may be read and written back by the next commit.
func TestDamageToAnOpenJournalIsNotRemembered(t *testing.T) {
	needsFile(t)
	c := newClock()
	dir := remembered(t, c)
	damaged := 0
	for range repeats(10, 1000) {
		at := copyJournal(t, dir)
		j := mustOpen(t, at, c)
		flip(t, filepath.Join(at, "journal.db"))
		if a, err := j.Begin(t.Context(), initiation(t, 2000), journal.Payer{}, nil); err == nil {
			_ = j.End(t.Context(), a.ID, accepted("REF-1", "PENDING"))
		}
		_ = j.Close()
		if !journal.IsRemembered(t.Context(), at) {
			damaged++
		}
		checkRemembered(t, at, c, nil)
	}
	if damaged == 0 {
		t.Error("no damage was met")
	}
}

// flip changes one bit of a file.
func flip(t testing.TB, path string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	noError(t, err)
	defer f.Close()
	about, err := f.Stat()
	if noError(t, err); about.Size() == 0 {
		return
	}
	b, at := make([]byte, 1), rand.Int64N(about.Size())
	_, err = f.ReadAt(b, at)
	noError(t, err)
	b[0] ^= 1 << rand.IntN(8)
	_, err = f.WriteAt(b, at)
	noError(t, err)
}

// checkRemembered: a file that is remembered passes a full check, and has what was acknowledged.
func checkRemembered(t testing.TB, dir string, c *clock, acknowledged map[journal.ID]journal.Outcome) {
	t.Helper()
	if !journal.IsRemembered(t.Context(), dir) {
		return
	}
	if err := journal.FullCheck(t.Context(), dir); err != nil {
		t.Fatalf("a damaged journal is remembered as sound: %v", err)
	}
	j, err := journal.Open(t.Context(), journal.Options{Dir: dir, Now: c.now})
	noError(t, err)
	defer j.Close()
	for id, o := range acknowledged {
		if a := mustAttempt(t, j, id); a.Outcome != o {
			t.Fatalf("%s is %q, not %q, and it is remembered as sound", id, a.Outcome, o)
		}
	}
}

// A bench is a folder with two consoles at most, to which anything may happen.
type bench struct {
	t            testing.TB
	c            *clock
	dir          string
	consoles     [2]*journal.Journal
	acknowledged map[journal.ID]journal.Outcome
	log          []string
}

// Whatever is written, damaged, killed and mixed up, what is remembered as sound is sound.
func TestWhatIsRememberedIsSound(t *testing.T) {
	needsFile(t)
	onlyWhereRemembered(t)
	if testing.Short() {
		t.Skip("long and sequential: it finds no races")
	}
	kept, asked := 0, 0
	for range repeats(3, 600) {
		c := newClock()
		b := &bench{t: t, c: c, dir: remembered(t, c), acknowledged: map[journal.ID]journal.Outcome{}}
		t.Cleanup(func() {
			if t.Failed() {
				t.Log(b.log)
			}
		})
		for sound := true; sound && len(b.log) < 14; {
			sound = b.step()
			if t.Failed() {
				t.Fatal(b.log)
			}
			image := copyJournal(t, b.dir)
			if asked++; journal.IsRemembered(t.Context(), image) {
				kept++
			}
			checkRemembered(t, image, c, b.acknowledged)
			if t.Failed() {
				t.Fatal(b.log)
			}
			os.RemoveAll(image)
		}
		b.closeAll()
	}
	if kept == 0 || kept == asked {
		t.Errorf("remembered %d times of %d: nothing was tested", kept, asked)
	}
	t.Logf("remembered after %d of %d steps", kept, asked)
}

func (b *bench) closeAll() {
	for i, j := range b.consoles {
		if j != nil {
			j.Close()
		}
		b.consoles[i] = nil
	}
}

// step does something, and reports whether no damage was reported.
func (b *bench) step() bool {
	n, i := rand.IntN(16), rand.IntN(2)
	b.log = append(b.log, fmt.Sprint(n, " ", i))
	file := filepath.Join(b.dir, "journal.db")
	switch n {
	case 0:
		flip(b.t, file)
	case 1:
		flip(b.t, file+"-wal")
	case 2:
		flip(b.t, file+".sums")
	case 3:
		db, err := sql.Open("sqlite", file)
		noError(b.t, err)
		defer db.Close()
		_, err = db.Exec("INSERT OR REPLACE INTO facts (name, value, checksum) VALUES ('another', random(), '')")
		return err == nil
	case 4: // all consoles are killed
		dir := copyJournal(b.t, b.dir)
		b.closeAll()
		b.dir = dir
	case 5:
		if b.consoles[i] != nil {
			b.consoles[i].Close()
			b.consoles[i] = nil
		}
	default:
		return b.commit(i)
	}
	return true
}

func (b *bench) commit(i int) bool {
	if b.consoles[i] == nil {
		j, err := journal.Open(b.t.Context(), journal.Options{Dir: b.dir, Now: b.c.now})
		b.consoles[i] = j
		if err != nil || j.DamagedBackup() != "" {
			return false
		}
	}
	b.c.advance(time.Second)
	j := b.consoles[i]
	a, err := j.Begin(b.t.Context(), initiation(b.t, rand.Int64N(1e9)+1), journal.Payer{}, nil)
	if err != nil {
		return false
	}
	if err := j.End(b.t.Context(), a.ID, accepted("REF-"+string(a.ID), "PENDING")); err != nil {
		return false
	}
	b.acknowledged[a.ID] = journal.Accepted
	return true
}
