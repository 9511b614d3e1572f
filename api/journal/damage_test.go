package journal_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"paydesk/api"
	"paydesk/api/journal"
)

// sample is the bytes of a journal with every kind of row, and the attempts in it.
func sample(t testing.TB) (bytes []byte, all []journal.Attempt) {
	t.Helper()
	c := newClock()
	dir := fresh(t)
	j := opened(t, dir, c)
	for n := range int64(40) {
		a := begun(t, j, initiation(t, 1000+n))
		c.pass(time.Second)
		switch n % 4 {
		case 0:
			ended(t, j, a.ID, accepted(fmt.Sprint("REF-", n), "PENDING"))
			if err := j.RecordStatus(t.Context(), shop, api.Reference(fmt.Sprint("REF-", n)), api.ParseStatus("SUCCESSFUL"), "status"); err != nil {
				t.Fatal(err)
			}
		case 1:
			ended(t, j, a.ID, journal.Answer{Outcome: journal.Refused, Why: "insufficient funds"})
		case 2:
			ended(t, j, a.ID, journal.Answer{Outcome: journal.Unresolved, Why: "the answer was cut short"})
		}
	}
	all, _, err := j.Attempts(t.Context(), journal.Filter{}, 0, 1000)
	if err != nil {
		t.Fatal(err)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	bytes, err = os.ReadFile(filepath.Join(dir, "journal.db"))
	if err != nil {
		t.Fatal(err)
	}
	return bytes, all
}

// openDamaged opens a journal of bytes and reports whether it said that something is
// wrong; when it did not, all must be as it was.
func openDamaged(t testing.TB, bytes []byte, all []journal.Attempt) (said bool) {
	t.Helper()
	dir, err := os.MkdirTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "journal.db")
	if err := os.WriteFile(path, bytes, 0o600); err != nil {
		t.Fatal(err)
	}
	c := newClock()
	c.pass(40 * time.Second)
	j, err := journal.Open(t.Context(), journal.Options{Dir: dir, Now: c.now})
	defer func() { j.Close() }()
	if err != nil {
		if _, is := errors.AsType[*journal.Unavailable](err); !is {
			t.Errorf("not a Blocked: %v", err)
		}
		return true
	}
	if aside := j.DamagedBackup(); aside != "" {
		kept, err := os.ReadFile(aside)
		if err != nil || string(kept) != string(bytes) {
			t.Errorf("the damaged file was not kept as it was: %v", err)
		}
		return true
	}
	got, _, err := j.Attempts(t.Context(), journal.Filter{}, 0, 1000)
	if err != nil {
		return true
	}
	if diff := cmp.Diff(all, got, same); diff != "" {
		t.Errorf("the rows are not what was written, and nobody said so:\n%s", diff)
	}
	return false
}

func TestATruncatedJournalIsKeptAsideAndSaid(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and one thing after the other: it looks for no races")
	}
	bytes, all := sample(t)
	offsets := long(25, 200)
	for n := range offsets {
		at := len(bytes) * n / offsets
		if !openDamaged(t, bytes[:at], all) {
			t.Errorf("cut at %d of %d, and nothing was said", at, len(bytes))
		}
	}
}

func TestABitThatFlipsIsSaidOrHarmless(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and one thing after the other: it looks for no races")
	}
	t.Parallel()
	bytes, all := sample(t)
	said, flips := 0, long(100, 1000)
	for range flips {
		bit := rand.IntN(len(bytes) * 8)
		broken := append([]byte(nil), bytes...)
		broken[bit/8] ^= 1 << (bit % 8)
		if openDamaged(t, broken, all) {
			said++
		}
		if t.Failed() {
			t.Fatalf("bit %d", bit)
		}
	}
	if said == 0 {
		t.Error("no flip of any bit was noticed")
	}
	t.Logf("%d flips: %d said, %d harmless, of %d bytes", flips, said, flips-said, len(bytes))
}

// A console that is killed leaves the log that SQLite writes first. Whatever becomes of
// that, what was acknowledged is there.
func TestABrokenLogAfterACrashLosesNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and one thing after the other: it looks for no races")
	}
	t.Parallel()
	dir := fresh(t)
	l := &tally{ended: map[string]string{}}
	for len(l.ended) < 10 {
		l.untilKilled(t, dir, time.Now().Add(time.Millisecond))
	}
	path := filepath.Join(dir, "journal.db")
	file, err1 := os.ReadFile(path)
	log, err2 := os.ReadFile(path + "-wal")
	if err := errors.Join(err1, err2); err != nil || len(log) == 0 {
		t.Fatal(err, len(log))
	}
	tries := long(30, 300)
	for n := range 2 * tries {
		broken := append([]byte(nil), log...)
		if n < tries {
			broken = broken[:len(log)*n/tries]
		} else {
			bit := rand.IntN(len(log) * 8)
			broken[bit/8] ^= 1 << (bit % 8)
		}
		brokenLog(t, file, broken, l)
	}
}

func brokenLog(t *testing.T, file, log []byte, l *tally) {
	t.Helper()
	dir, err := os.MkdirTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "journal.db")
	if err := errors.Join(os.WriteFile(path, file, 0o600), os.WriteFile(path+"-wal", log, 0o600)); err != nil {
		t.Fatal(err)
	}
	j, err := journal.Open(t.Context(), journal.Options{Dir: dir})
	defer func() { j.Close() }()
	if err != nil || j.DamagedBackup() != "" {
		return // it says so
	}
	for id, outcome := range l.ended {
		if a, err := j.Attempt(t.Context(), journal.ID(id)); err != nil || outcome != "" && string(a.Outcome) != outcome {
			t.Errorf("%s is %q, not %q, in silence: %v", id, a.Outcome, outcome, err)
		}
	}
}

func TestADamagedJournalIsKeptWithTheTimeInItsName(t *testing.T) {
	dir, c := fresh(t), newClock()
	opened(t, dir, c).Close()
	path := filepath.Join(dir, "journal.db")
	if err := os.WriteFile(path, []byte(strings.Repeat("not a journal ", 400)), 0o600); err != nil {
		t.Fatal(err)
	}
	j := opened(t, dir, c)
	if want := path + ".damaged-20260301T090000Z"; j.DamagedBackup() != want {
		t.Errorf("aside %q", j.DamagedBackup())
	}
	begun(t, j, initiation(t, 1250))
	again := opened(t, dir, c)
	if again.DamagedBackup() != "" {
		t.Error("the new one is damaged too")
	}
}

// A large journal is looked through while it is used already.
func TestDamageThatIsFoundBehindTheWorkBlocksUntilTheNextStart(t *testing.T) {
	defer journal.VerifyInBackground()()
	dir, c := fresh(t), newClock()
	j := opened(t, dir, c)
	a := begun(t, j, initiation(t, 1250))
	ended(t, j, a.ID, accepted("REF-1", "SUCCESSFUL"))
	j.Close()
	j = opened(t, dir, c)
	j.WaitForIntegrityCheck()
	begun(t, j, initiation(t, 1300)) // it is sound
	j.Close()
	writeTx(t, j.Path(), "DROP INDEX attempts_link; UPDATE attempts SET minor = 1 WHERE id = '"+string(a.ID)+"'")
	j = opened(t, dir, c)
	j.WaitForIntegrityCheck()
	_, err := j.Begin(t.Context(), initiation(t, 1400), journal.Payer{}, nil)
	if why := blockedWhy(t, err); !strings.Contains(why, "damaged") {
		t.Error(why)
	}
	if j.DamagedBackup() != "" {
		t.Error("it was put aside under the work")
	}
	next := opened(t, dir, c)
	if next.DamagedBackup() == "" {
		t.Error("the next start did not put it aside")
	}
	begun(t, next, initiation(t, 1400))
}

func TestDamageThatIsFoundUnderWayBlocksUntilTheNextStart(t *testing.T) {
	dir, c := fresh(t), newClock()
	j := opened(t, dir, c)
	a := begun(t, j, initiation(t, 1250))
	writeTx(t, j.Path(), "UPDATE attempts SET minor = 1 WHERE id = '"+string(a.ID)+"'")
	_, err := j.Attempt(t.Context(), a.ID)
	if _, is := errors.AsType[*journal.Unavailable](err); !is || !strings.Contains(err.Error(), "damaged") {
		t.Fatalf("reading a changed row: %v", err)
	}
	_, err = j.Begin(t.Context(), initiation(t, 1300), journal.Payer{}, nil)
	if _, is := errors.AsType[*journal.Unavailable](err); !is || !strings.Contains(err.Error(), "start again") {
		t.Fatalf("sending on: %v", err)
	}
	if next := opened(t, dir, c); next.DamagedBackup() == "" {
		t.Error("the next start did not put it aside")
	}
}
