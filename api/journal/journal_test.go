package journal_test

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"flag"
	"fmt"
	"hash/fnv"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/journal/postgres"
	"paydesk/api/journal/postgres/pgtest"
	"paydesk/api/ledger"
	"paydesk/api/money"
	"paydesk/api/timely"
)

// The test binary also runs as the other consoles that the tests start and kill.
func TestMain(m *testing.M) {
	if task := os.Getenv(consoleEnv); task != "" {
		runConsole(strings.Fields(task))
		return
	}
	checks := repeats(10, 100)
	if os.Getenv(storeEnv) != "" {
		checks = repeats(2, 100) // each makes its tables
	}
	if err := flag.Set("rapid.checks", strconv.Itoa(checks)); err != nil {
		panic(err)
	}
	flag.Set("test.parallel", "8") // unless -parallel is given: they mostly wait
	timely.SpareDisk()
	os.Exit(m.Run())
}

var shop = ledger.Destination{Profile: "shop", Environment: "TEST", Host: "pay.example.com"}

func pounds(t testing.TB, minor int64) money.Amount {
	t.Helper()
	c, err := money.ParseCurrency("GBP")
	noError(t, err)
	return money.Amount{Minor: minor, Currency: c}
}

// A clock is set by the test.
type clock struct{ at time.Time }

func (c *clock) now() time.Time { return c.at }

func (c *clock) advance(d time.Duration) { c.at = c.at.Add(d) }

func newClock() *clock { return &clock{time.Date(2026, 3, 1, 9, 0, 0, 123456789, time.UTC)} }

// mustOpen opens a journal in a folder, "" in memory.
func mustOpen(t testing.TB, dir string, c *clock) *journal.Journal {
	t.Helper()
	j, err := openJournal(t.Context(), journal.Options{Dir: dir, Now: c.now, Operator: ledger.Operator{User: "ada", Host: "till", SSH: "192.0.2.7"}})
	noError(t, err)
	t.Cleanup(func() { j.Close() })
	return j
}

// newDir returns a folder, not created yet, for a journal.
func newDir(t testing.TB) string { return filepath.Join(t.TempDir(), "paydesk") }

func initiation(t testing.TB, minor int64) ledger.Attempt {
	return ledger.Attempt{Kind: ledger.Initiate, Destination: shop, Amount: pounds(t, minor), Channel: api.ChannelCard, Card: "1111"}
}

func mustBegin(t testing.TB, j *journal.Journal, a ledger.Attempt) ledger.Attempt {
	t.Helper()
	a, err := j.Begin(t.Context(), a, ledger.Payer{}, nil)
	noError(t, err)
	return a
}

func mustEnd(t testing.TB, j *journal.Journal, id ledger.ID, a ledger.Result) {
	t.Helper()
	noError(t, j.End(t.Context(), id, a))
}

func accepted(ref, status string) ledger.Result {
	return ledger.Result{Outcome: ledger.Accepted, Payment: &api.Payment{Reference: api.Reference(ref), Status: api.ParseStatus(status)}}
}

func mustAttempt(t testing.TB, j *journal.Journal, id ledger.ID) ledger.Attempt {
	t.Helper()
	a, err := j.Attempt(t.Context(), id)
	noError(t, err)
	return a
}

// A payment is two commits, whose syncs are spared here as in every test.
func BenchmarkAPaymentIsRecorded(b *testing.B) {
	j := mustOpen(b, newDir(b), newClock())
	for n := int64(1); b.Loop(); n++ {
		mustEnd(b, j, mustBegin(b, j, initiation(b, n)).ID, accepted(fmt.Sprint("pay_", n), "PENDING"))
	}
}

// same compares attempts by value.
var same = cmp.Options{
	cmp.Comparer(func(a, b api.Text) bool { return a.Line(0) == b.Line(0) }),
	cmp.Comparer(func(a, b api.Address) bool { return a == b }),
	cmp.Comparer(func(a, b money.Currency) bool { return a == b }),
}

// execSQL changes the file in a way that paydesk never does.
func execSQL(t testing.TB, path, statement string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	noError(t, err)
	defer db.Close()
	if _, err := db.Exec(statement); err != nil {
		t.Fatal(err)
	}
}

// storeEnv has the URL of a PostgreSQL server on which the tests of the rules run, in place of SQLite.
const storeEnv = "PAYDESK_TEST_STORE"

var schemas atomic.Int64

// newJournal returns a journal in the store that is tested: a folder of SQLite's is a schema of PostgreSQL's.
func newJournal(o journal.Options) *journal.Journal {
	url := os.Getenv(storeEnv)
	if url == "" {
		return journal.New(o)
	}
	name := fmt.Sprintf("memory_%d_%d", os.Getpid(), schemas.Add(1))
	dir := filepath.Join(os.TempDir(), "paydesk-"+name)
	if o.Dir != "" {
		h := fnv.New64()
		h.Write([]byte(o.Dir))
		name, dir = fmt.Sprintf("dir_%x", h.Sum64()), o.Dir
	}
	c := postgres.Config{URL: url, Schema: name}
	if err := postgres.Init(context.Background(), c); err != nil {
		panic(err)
	}
	os.MkdirAll(dir, 0o700)
	o.KeyFile = filepath.Join(dir, "journal.key")
	if _, err := os.Stat(o.KeyFile); err != nil { // another console may be at it: both write the same
		h := sha256.Sum256([]byte(name))
		part := fmt.Sprintf("%s.%d", o.KeyFile, os.Getpid())
		os.WriteFile(part, []byte(hex.EncodeToString(h[:])+"\n"), 0o600)
		os.Rename(part, o.KeyFile)
	}
	db, err := postgres.Open(c)
	if err != nil {
		panic(err)
	}
	return journal.NewShared(db, o)
}

// openJournal returns a journal that can be written.
func openJournal(ctx context.Context, o journal.Options) (*journal.Journal, error) {
	j := newJournal(o)
	return j, j.Check(ctx)
}

// needsFile skips a test of what only a file can do, or have done to it.
func needsFile(t testing.TB) {
	t.Helper()
	if os.Getenv(storeEnv) != "" {
		t.Skip("only a file")
	}
}

// rules are the tests that run again on a server where no more was asked for: of what it does otherwise than a file, such
// as locks, constraints and the comparison of text.
var rules = []string{
	"TestADuplicateMatchesInEveryPart", "TestOfConsolesThatSendTheSameTheOthersAreWarned",
	"TestOfTwoConsolesThatFinalizeAtOnceOneSends", "TestOnlyOneOfTwoTakesAnAttempt", "TestAReferenceInOtherLetterCaseIsTaken",
	"TestAQueryFindsWhatReadingEachRowFinds", "TestATimelineTellsTheWholePayment", "TestAHugeTotalIsExact",
	"TestPurgingDeletesOldAttemptsAndKeepsUnresolvedOnes",
}

// Tests of this package run again on a server, but for those of what only a file can do, or have done to it: some rules,
// and all of them, also with kills and races, where PAYDESK_POSTGRES is "whole", as in .ci/long. It takes four seconds: a
// server is made and started, and each rule creates its tables there.
func TestTheRulesAreTheSameOnPostgreSQL(t *testing.T) {
	t.Parallel() // it mostly waits for the disk
	needsFile(t)
	pgtest.Asked(t)
	which := "^(" + strings.Join(rules, "|") + ")$"
	if os.Getenv("PAYDESK_POSTGRES") == "whole" {
		which = "."
	}
	server := pgtest.Shared(t)
	again := exec.CommandContext(t.Context(), os.Args[0], "-test.timeout=55m", "-test.count=1", "-test.v", "-test.run="+which)
	again.Env = append(os.Environ(), storeEnv+"="+server.URL("postgres", server.Database), "TMPDIR="+t.TempDir())
	said, err := again.CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, said)
	}
	for _, name := range rules {
		if !strings.Contains(string(said), "--- PASS: "+name+" ") {
			t.Errorf("%s is not among those that passed", name)
		}
	}
}

var carl = ledger.Payer{Email: "carl@example.org"}

// keyFile is the file of the key of the hashes.
func keyFile(dir string) string { return filepath.Join(dir, "journal.key") }

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
		dir := writtenJournal(t, now)
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
