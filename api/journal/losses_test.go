package journal_test

import (
	"database/sql"
	"os"
	"path/filepath"
	"testing"

	"paydesk/api"
	"paydesk/api/card"
	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/api/money"
	"paydesk/api/sandbox"
	"paydesk/api/servicetest"
)

// These tests make payments over a real socket: journal, client, service.

type key = servicetest.Key

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// ngn is a payment of so many kobo; another amount is not a duplicate.
func ngn(minor int64) api.Initiation {
	c := sandbox.Cards()[0]
	return api.Initiation{
		Amount: money.Amount{Minor: minor, Currency: must(money.ParseCurrency("NGN"))}, Channel: api.ChannelCard,
		Customer: api.Customer{FirstName: "Ada", LastName: "Obi", Email: "ada@shop.example", Phone: "+2340000"},
		Card:     &api.CardEntry{PAN: must(card.ParsePAN(c.Number)), CVV: must(card.ParseCVV(c.CVV)), Expiry: must(card.ParseExpiry("12/2034"))},
	}
}

var thisConsole = ledger.Destination{Profile: "test", Environment: "TEST", Host: "127.0.0.1"}

func client(t testing.TB, origin, k string) *api.Client {
	t.Helper()
	c := must(api.New(api.Config{BaseURL: origin, ListURL: origin, Key: key(k), Retries: -1}))
	t.Cleanup(c.Close)
	return c
}

// repeats is how often a test repeats something: few times, many with PAYDESK_LONG.
func repeats(few, many int) int {
	if os.Getenv("PAYDESK_LONG") != "" {
		return many
	}
	return few
}

// onlyLong skips a test that is only worth its time with PAYDESK_LONG.
func onlyLong(t *testing.T) {
	t.Helper()
	if os.Getenv("PAYDESK_LONG") == "" {
		t.Skip("only with PAYDESK_LONG")
	}
}

// oneAtATime skips a long test of one goroutine where the tests look for races: it has none.
func oneAtATime(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("one goroutine at a time")
	}
}

// A console was killed in the middle of a commit, or while SQLite changed the file to a write-ahead log:
// half of it is in the file, and what it was before is in the rollback journal beside it. The next start
// undoes it; only reading it would say that the file is read-only.
func TestACommitThatAKillCutInTwoIsUndoneAtTheNextStart(t *testing.T) {
	t.Parallel()
	needsFile(t)
	first := filepath.Join(t.TempDir(), "state")
	must(openJournal(t.Context(), journal.Options{Dir: first})).Close()
	path := filepath.Join(first, "journal.db")
	db := must(sql.Open("sqlite", "file:"+path+"?mode=rw"))
	defer db.Close()
	db.SetMaxOpenConns(1)
	for _, statement := range []string{
		"PRAGMA journal_mode=DELETE", "PRAGMA cache_size=1", "BEGIN IMMEDIATE",
		"CREATE TABLE half_written (x)", "INSERT INTO half_written VALUES (randomblob(200000))", // more than the cache: spilled
	} {
		if _, err := db.Exec(statement); err != nil {
			t.Fatal(statement, err)
		}
	}
	killed := filepath.Join(t.TempDir(), "state")
	noError(t, os.CopyFS(killed, os.DirFS(first)))
	for _, name := range must(filepath.Glob(killed + "/*")) {
		must(0, os.Chmod(name, 0o600))
	}
	must(0, os.Chmod(killed, 0o700))
	if about := must(os.Stat(filepath.Join(killed, "journal.db-journal"))); about.Size() == 0 {
		t.Fatal("nothing was left half-written")
	}

	j, err := openJournal(t.Context(), journal.Options{Dir: killed})
	noError(t, err)
	defer j.Close()
	after := must(sql.Open("sqlite", "file:"+filepath.Join(killed, "journal.db")+"?mode=ro"))
	defer after.Close()
	var n int
	if err := after.QueryRow("SELECT count(*) FROM sqlite_schema WHERE name = 'half_written'").Scan(&n); err != nil || n != 0 {
		t.Error("half of a commit is in the journal", n, err)
	}
}
