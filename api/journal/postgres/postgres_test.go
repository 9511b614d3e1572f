package postgres_test

import (
	"context"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/journal/postgres"
	"paydesk/api/journal/postgres/pgtest"
	"paydesk/api/ledger"
	"paydesk/api/money"
	"paydesk/api/timely"
)

var shop = ledger.Destination{Profile: "shop", Environment: "TEST", Host: "pay.example.com"}

var noError = timely.Must

// start returns a server, and a journal there as the administrator has it.
func start(t testing.TB) (*pgtest.Cluster, postgres.Config) {
	t.Helper()
	c := pgtest.Shared(t)
	config := postgres.Config{URL: c.URL("postgres", c.Database)}
	noError(t, postgres.Init(t.Context(), config))
	return c, config
}

// keyedDir is the folder of a console, with the team's key.
func keyedDir(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	noError(t, os.Chmod(dir, 0o700))
	noError(t, os.WriteFile(filepath.Join(dir, "journal.key"), []byte(strings.Repeat("0f", 32)+"\n"), 0o600))
	return dir
}

// consoleIn opens the journal as a console does whose folder that is.
func consoleIn(t testing.TB, c postgres.Config, dir string) *journal.Journal {
	t.Helper()
	db, err := postgres.Open(c)
	noError(t, err)
	j := journal.NewShared(db, journal.Options{Dir: dir, KeyFile: filepath.Join(dir, "journal.key"), Operator: ledger.Operator{User: "ada", Host: "till"}})
	t.Cleanup(func() { j.Close() })
	return j
}

func console(t testing.TB, c postgres.Config) *journal.Journal { return consoleIn(t, c, keyedDir(t)) }

func payment(t testing.TB, minor int64) ledger.Attempt {
	t.Helper()
	gbp, err := money.ParseCurrency("GBP")
	noError(t, err)
	return ledger.Attempt{Kind: ledger.Initiate, Destination: shop, Amount: money.Amount{Minor: minor, Currency: gbp}, Channel: api.ChannelCard, Card: "1111"}
}

func begin(t testing.TB, j *journal.Journal, minor int64) (ledger.Attempt, error) {
	return j.Begin(t.Context(), payment(t, minor), ledger.Payer{}, nil)
}

// second is the error of a result.
func second[T any](_ T, err error) error { return err }

// ask runs SQL as the administrator, also once the test is over.
func ask(t testing.TB, c postgres.Config, sql string) {
	t.Helper()
	conn, err := pgx.Connect(context.Background(), c.URL)
	noError(t, err)
	defer conn.Close(context.Background())
	_, err = conn.Exec(context.Background(), "SET search_path = paydesk, public;"+sql)
	noError(t, err)
}

// refuses checks that nothing can be written, in which words, and that looking is free where it is.
func refuses(t testing.TB, j *journal.Journal, words string, looking bool) {
	t.Helper()
	_, err := begin(t, j, 4200)
	if _, is := errors.AsType[*ledger.Unavailable](err); !is || !errors.Is(err, api.ErrNotSent) || !strings.Contains(err.Error(), words) {
		t.Errorf("it says %v, not %q", err, words)
	}
	if _, err := j.Unfinished(t.Context(), shop); looking && err != nil {
		t.Errorf("looking: %v", err)
	}
}

func TestNothingIsSentWhereACommitMayBeLost(t *testing.T) {
	t.Parallel()
	server, c := start(t)
	j := console(t, c)
	for setting, words := range map[string]string{
		"synchronous_commit = off":           "synchronous_commit",
		"synchronous_commit = local":         "synchronous_commit",
		"default_transaction_read_only = on": "read-only",
	} {
		ask(t, c, "ALTER DATABASE "+server.Database+" SET "+setting)
		fresh := console(t, c) // a setting of the database is that of new connections
		if strings.HasPrefix(setting, "sync") {
			refuses(t, fresh, words, true)
		} else {
			_, err := begin(t, fresh, 1)
			if err == nil || !strings.Contains(err.Error(), words) {
				t.Errorf("%s: %v", setting, err)
			}
		}
		name, _, _ := strings.Cut(setting, " ")
		ask(t, c, "SET transaction_read_only = off; ALTER DATABASE "+server.Database+" RESET "+name)
	}
	if _, err := begin(t, j, 1); err != nil {
		t.Error(err)
	}
}

func TestAnotherVersionIsRefusedInWords(t *testing.T) {
	t.Parallel()
	pgtest.Whole(t)
	_, c := start(t)
	j := console(t, c)
	noError(t, j.Check(t.Context()))
	ask(t, c, "UPDATE about SET value = '2' WHERE name = 'version'")
	refuses(t, j, "newer version", true)
	if err := postgres.Init(t.Context(), c); err == nil {
		t.Error("a newer schema was taken for this one")
	}
	ask(t, c, "UPDATE about SET value = '0' WHERE name = 'version'")
	refuses(t, j, "paydesk journal init", true)
}

func TestAConsoleHealsByItself(t *testing.T) {
	pgtest.Asked(t)
	t.Parallel()
	server, c := start(t)
	j := console(t, c)
	noError(t, second(begin(t, j, 100)))
	ask(t, c, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND application_name = 'paydesk' AND datname = current_database()")
	_, _ = j.Unfinished(t.Context(), shop) // may be told that its connection broke
	if _, err := j.Unfinished(t.Context(), shop); err != nil {
		t.Errorf("after its backends were killed: %v", err)
	}
	server.Disconnect(t)
	refuses(t, j, "cannot be reached", false)
	server.Reconnect(t)
	if _, err := begin(t, j, 200); err != nil {
		t.Errorf("once it is reached again: %v", err)
	}
}

func TestAChangeOfAColleagueArrives(t *testing.T) {
	pgtest.Asked(t)
	t.Parallel()
	server, c := start(t)
	j, other := console(t, c), console(t, c)
	changed := make(chan struct{}, 100)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	ended := make(chan error, 1)
	go func() { ended <- j.Follow(ctx, func() { changed <- struct{}{} }) }()
	arrives := func(what string) {
		t.Helper()
		select {
		case <-changed:
		case <-time.After(20 * time.Second):
			t.Fatal(what)
		}
	}
	arrives("it does not listen")
	noError(t, second(begin(t, other, 900)))
	arrives("an attempt")
	for len(changed) > 0 {
		<-changed
	}
	noError(t, other.Pin(t.Context(), shop, "THEIRS"))
	arrives("a pin")
	server.Disconnect(t)
	server.Reconnect(t)
	for len(changed) > 0 {
		<-changed
	}
	arrives("what happened while nobody listened")
	stop()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestTheRolesAreEnough(t *testing.T) {
	server := pgtest.Shared(t)
	admin := postgres.Config{URL: server.URL("postgres", server.Database)}
	ask(t, admin, postgres.RolesSQL(admin))
	ask(t, admin, postgres.RolesSQL(admin)+"CREATE ROLE omar LOGIN; GRANT paydesk_own TO omar; CREATE ROLE uma LOGIN; GRANT paydesk_use TO uma; CREATE ROLE eve LOGIN")
	// The server is that of other tests, too.
	defer ask(t, admin, "DROP OWNED BY paydesk_own; DROP OWNED BY paydesk_use; DROP ROLE omar, uma, eve, paydesk_own, paydesk_use")
	owner, user, other := admin, admin, admin
	owner.URL, user.URL, other.URL = server.URL("omar", server.Database), server.URL("uma", server.Database), server.URL("eve", server.Database)
	db, err := postgres.Open(user)
	noError(t, err)
	if err := postgres.Init(t.Context(), user); err == nil || !strings.Contains(db.Problem(err), "Have the role that owns it granted") {
		t.Errorf("the role that uses creates the journal: %v", err)
	}
	noError(t, postgres.Init(t.Context(), owner))
	noError(t, postgres.Init(t.Context(), owner)) // stays as it is
	dir := keyedDir(t)
	brief := journal.NewShared(db, journal.Options{Dir: dir, KeyFile: filepath.Join(dir, "journal.key"), Retention: 14 * 24 * time.Hour})
	defer brief.Close()
	noError(t, brief.Check(t.Context())) // what is younger than 90 days is left to the owner
	j := console(t, user)
	a, err := begin(t, j, 100)
	noError(t, err)
	noError(t, j.End(t.Context(), a.ID, ledger.Result{Outcome: ledger.Refused, Why: "no"}))
	if gone, err := j.Purge(t.Context(), time.Now().Add(time.Hour)); err == nil || gone.Attempts != 0 || !strings.Contains(err.Error(), "younger than 90 days") {
		t.Errorf("who uses the journal empties it of %d: %v", gone.Attempts, err)
	}
	if _, err := j.Purge(t.Context(), time.Now().Add(-90*24*time.Hour)); err != nil {
		t.Error(err)
	}
	r, err := postgres.Status(t.Context(), user)
	if err != nil || len(r.Problems) > 0 || r.Version != postgres.Version || !r.Keyed {
		t.Errorf("%+v, %v", r, err)
	}
	refuses(t, console(t, other), "granted", false)
	if r, err := postgres.Status(t.Context(), other); err != nil || len(r.Problems) != 1 {
		t.Errorf("%+v, %v", r, err)
	}
	uma, err := pgx.Connect(t.Context(), user.URL)
	noError(t, err)
	defer uma.Close(context.Background())
	for _, sql := range []string{"DROP TABLE paydesk.facts", "ALTER TABLE paydesk.entries ADD COLUMN pan TEXT", "CREATE TABLE paydesk.x (n INT)", "TRUNCATE paydesk.facts CASCADE", "UPDATE paydesk.about SET value = '9'", "DELETE FROM paydesk.about"} {
		if _, err := uma.Exec(t.Context(), sql); err == nil {
			t.Errorf("the role that uses may %s", sql)
		}
	}
}

func TestTwoWhoCreateTheJournalAtOnceShareIt(t *testing.T) {
	t.Parallel()
	pgtest.Whole(t)
	server := pgtest.Shared(t)
	c := postgres.Config{URL: server.URL("postgres", server.Database)}
	refuses(t, console(t, c), "paydesk journal init", false)
	var all sync.WaitGroup
	for range 5 {
		all.Go(func() {
			if err := postgres.Init(context.Background(), c); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	noError(t, console(t, c).Check(t.Context()))
}

// What a password command says reaches only the server.
func TestAPasswordIsNeverSaid(t *testing.T) {
	t.Parallel()
	_, c := start(t)
	c.Password = func(context.Context) (string, error) { return "hunter2", errors.New("hunter2 is wrong") }
	j := console(t, c)
	_, err := begin(t, j, 5)
	if err == nil || strings.Contains(err.Error(), "hunter2") || !strings.Contains(err.Error(), "password_command") {
		t.Error(err)
	}
	c.Password = func(context.Context) (string, error) { return "", postgres.NoPassword("its store is locked.") }
	if _, err := begin(t, console(t, c), 5); err == nil || !strings.Contains(err.Error(), "has no password: its store is locked. (") {
		t.Error(err)
	}
	c.Password = func(context.Context) (string, error) { return "hunter2", nil }
	db, err := postgres.Open(c)
	noError(t, err)
	if strings.Contains(db.Name(), "hunter2") {
		t.Error(db.Name())
	}
	if _, err := begin(t, console(t, c), 5); err != nil {
		t.Error(err)
	}
}

func TestMain(m *testing.M) {
	flag.Set("test.parallel", "8") // unless -parallel is given: they mostly wait for the server
	timely.SpareDisk()
	os.Exit(m.Run())
}

func TestAServerElsewhereHasToProveWhoItIs(t *testing.T) {
	t.Parallel()
	for url, why := range map[string]string{
		"postgres://ada@db.example.com/payments":                                "",
		"postgresql://ada@db.example.com:6432/payments?sslmode=verify-full":     "",
		"postgres://ada@db.example.com/payments?sslmode=disable":                "verify-full",
		"postgres://ada@db.example.com/payments?sslmode=prefer":                 "verify-full",
		"postgres://ada@localhost,db.example.com/payments?sslmode=prefer":       "verify-full",
		"postgres://ada@localhost/payments?host=db.example.com&sslmode=allow":   "verify-full",
		"postgres://ada@localhost/payments":                                     "",
		"postgres://ada@127.0.0.1:5433/payments?sslmode=disable":                "",
		"postgres://ada@localhost:5432,127.0.0.1:5433/payments?sslmode=disable": "",
		"postgres://ada@/payments?host=/run/postgresql":                         "",
		"postgres://ada:hunter2@localhost/payments":                             "password",
		"postgres://ada@localhost/payments?password=hunter2":                    "password",
		"host=localhost dbname=payments password=hunter2":                       "postgres://",
		"postgres://ada@localhost:port/payments":                                "postgres://",
		"postgres://ada@localhost/payments?sslmode=hunter2":                     "understood",
	} {
		err := postgres.Config{URL: url}.Check()
		switch {
		case why == "" && err != nil:
			t.Errorf("%s: %v", url, err)
		case why != "" && (err == nil || !strings.Contains(err.Error(), why) || strings.Contains(err.Error(), "hunter2")):
			t.Errorf("%s: %v, not about %s", url, err, why)
		}
	}
}

func TestASchemaIsAPlainName(t *testing.T) {
	for name, plain := range map[string]bool{"Team": false, "a b": false, `a"b`: false, "1a": false, "a;drop": false, strings.Repeat("a", 42): false, "team_2": true} {
		if err := (postgres.Config{URL: "postgres://localhost/x", Schema: name}).Check(); (err == nil) != plain {
			t.Errorf("%q: %v", name, err)
		}
	}
}
