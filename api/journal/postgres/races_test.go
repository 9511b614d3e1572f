package postgres_test

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"paydesk/api/journal"
	"paydesk/api/journal/postgres"
	"paydesk/api/journal/postgres/pgtest"
	"paydesk/api/ledger"
)

// keyedDir is a folder with the key of the team.
func keyedDir(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	noError(t, os.Chmod(dir, 0o700))
	noError(t, os.WriteFile(filepath.Join(dir, "journal.key"), []byte(strings.Repeat("0f", 32)+"\n"), 0o600))
	return dir
}

func consoleIn(t *testing.T, c postgres.Config, dir string) *journal.Journal {
	t.Helper()
	db, err := postgres.Open(c)
	noError(t, err)
	j := journal.NewShared(db, journal.Options{Dir: dir, KeyFile: filepath.Join(dir, "journal.key")})
	t.Cleanup(func() { j.Close() })
	return j
}

func TestAPurgeSparesWhatBecomesUnresolvedMeanwhile(t *testing.T) {
	_, c := start(t)
	j := console(t, c)
	a, err := begin(t, j, 100)
	noError(t, err)
	noError(t, j.End(t.Context(), a.ID, ledger.Result{Outcome: ledger.Refused, Why: "no"}))
	other, err := pgx.Connect(t.Context(), c.URL)
	noError(t, err)
	defer other.Close(context.Background())
	_, err = other.Exec(t.Context(), "BEGIN; UPDATE paydesk.entries SET outcome = 'unresolved', verdict = '' WHERE id = '"+string(a.ID)+"'")
	noError(t, err)
	purged := make(chan error, 1)
	go func() {
		_, err := j.Purge(context.Background(), time.Now().Add(time.Hour))
		purged <- err
	}()
	watch, err := pgx.Connect(t.Context(), c.URL)
	noError(t, err)
	defer watch.Close(context.Background())
	for waits := 0; waits == 0; {
		noError(t, watch.QueryRow(t.Context(), "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE 'SELECT paydesk_purge%'").Scan(&waits))
	}
	_, err = other.Exec(t.Context(), "COMMIT")
	noError(t, err)
	noError(t, <-purged)
	var left int
	noError(t, watch.QueryRow(t.Context(), "SELECT count(*) FROM paydesk.entries").Scan(&left))
	if left != 1 {
		t.Error("an unresolved attempt was deleted")
	}
}

// leave begins a payment, and its accepted outcome is left in the folder by a console that cannot reach the server.
func leave(t *testing.T, server *pgtest.Cluster, c postgres.Config, dir string) ledger.ID {
	t.Helper()
	j := consoleIn(t, c, dir)
	a, err := begin(t, j, 100)
	noError(t, err)
	server.Disconnect(t)
	if err := j.End(t.Context(), a.ID, ledger.Result{Outcome: ledger.Refused, Why: "no"}); err == nil {
		t.Fatal("an outcome was written without a server")
	}
	j.Close()
	server.Reconnect(t)
	return a.ID
}

func spooled(t *testing.T, dir string) int {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "outcomes", "*"))
	noError(t, err)
	return len(files)
}

func TestAnOutcomeOfAnotherDatabaseStaysInItsFile(t *testing.T) {
	pgtest.Whole(t)
	server, c := start(t)
	dir := keyedDir(t)
	id := leave(t, server, c, dir)
	another := c
	another.Schema = "another"
	noError(t, postgres.Init(t.Context(), another))
	j := consoleIn(t, another, dir)
	if _, err := begin(t, j, 5); err != nil {
		t.Error(err)
	}
	waiting, written := j.LateOutcomes()
	if spooled(t, dir) != 1 || j.StrangeOutcomes() != 1 || waiting != 0 || written != 0 {
		t.Errorf("%d files, %d without an attempt, %d wait, %d were written", spooled(t, dir), j.StrangeOutcomes(), waiting, written)
	}
	got, err := consoleIn(t, c, dir).Attempt(t.Context(), id)
	if err != nil || got.Outcome != ledger.Refused || spooled(t, dir) != 0 {
		t.Errorf("%+v, %v, %d files", got, err, spooled(t, dir))
	}
}

func TestARejectionKeepsTheOutcomesThatWaited(t *testing.T) {
	server, c := start(t)
	dir := keyedDir(t)
	_, err := begin(t, console(t, c), 700)
	noError(t, err)
	leave(t, server, c, dir)
	j := consoleIn(t, c, dir)
	if _, err := begin(t, j, 700); !isDuplicate(err) {
		t.Errorf("it is not a duplicate: %v", err)
	}
	if waiting, written := j.LateOutcomes(); waiting != 0 || written != 1 || spooled(t, dir) != 0 {
		t.Errorf("%d wait, %d were written", waiting, written)
	}
}

// A console listens through a network that then swallows all that is sent on its connection, and closes nothing.
func TestAConnectionThatHasVanishedIsNoticed(t *testing.T) {
	pgtest.Whole(t) // it waits for the network's own patience
	server, c := start(t)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	noError(t, err)
	defer l.Close()
	var swallows atomic.Bool
	go func() {
		for {
			in, err := l.Accept()
			if err != nil {
				return
			}
			old := !swallows.Load()
			out, err := net.Dial("unix", filepath.Join(server.Socket(), ".s.PGSQL.5432"))
			if err != nil {
				in.Close()
				continue
			}
			carry := func(to, from net.Conn) {
				part := make([]byte, 1<<15)
				for {
					n, err := from.Read(part)
					if err != nil {
						break
					}
					if old && swallows.Load() {
						continue
					}
					if _, err := to.Write(part[:n]); err != nil {
						break
					}
				}
				to.Close()
			}
			go carry(out, in)
			go carry(in, out)
		}
	}()
	far := c
	far.URL = "postgres://postgres@" + l.Addr().String() + "/" + server.Database + "?sslmode=disable"
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	changed := make(chan struct{}, 100)
	go consoleIn(t, far, keyedDir(t)).Follow(ctx, func() { changed <- struct{}{} })
	<-changed
	swallows.Store(true)
	_, err = begin(t, console(t, c), 100)
	noError(t, err)
	select {
	case <-changed:
	case <-time.After(time.Minute):
		t.Error("the console still listens to nothing")
	}
}
