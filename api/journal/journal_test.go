package journal_test

import (
	"context"
	"database/sql"
	"flag"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"paydesk/api"
	"paydesk/api/journal"
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

// lockFile takes the write lock of the file, as another program may.
func lockFile(t testing.TB, path string) (release func()) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	noError(t, err)
	c, err := db.Conn(context.Background())
	noError(t, err)
	if _, err := c.ExecContext(context.Background(), "BEGIN IMMEDIATE"); err != nil {
		t.Fatal(err)
	}
	return func() { c.Close(); db.Close() }
}
