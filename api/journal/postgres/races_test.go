package postgres_test

import (
	"context"
	"io"
	"net"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"paydesk/api/journal/postgres/pgtest"
	"paydesk/api/ledger"
)

func TestAPurgeSparesWhatBecomesUnresolvedMeanwhile(t *testing.T) {
	t.Parallel()
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

func TestARejectionKeepsTheOutcomesThatWaited(t *testing.T) {
	t.Parallel()
	server, c := start(t)
	dir := keyedDir(t)
	noError(t, second(begin(t, console(t, c), 700)))
	first := consoleIn(t, c, dir)
	a, err := begin(t, first, 100)
	noError(t, err)
	server.Disconnect(t)
	if err := first.End(t.Context(), a.ID, ledger.Result{Outcome: ledger.Refused, Why: "no"}); err == nil {
		t.Fatal("an outcome was written without a server")
	}
	first.Close()
	server.Reconnect(t)
	j := consoleIn(t, c, dir)
	if _, err := begin(t, j, 700); !isDuplicate(err) {
		t.Errorf("it is not a duplicate: %v", err)
	}
	if waiting, written := j.LateOutcomes(); waiting != 0 || written != 1 {
		t.Errorf("%d wait, %d were written", waiting, written)
	}
}

// A swallower is one end of a connection that loses all that is sent to it once the network is gone, and is not closed.
type swallower struct {
	net.Conn
	gone *atomic.Bool
}

func (s swallower) Write(b []byte) (int, error) {
	if s.gone.Load() {
		return len(b), nil
	}
	return s.Conn.Write(b)
}

func TestAConnectionThatHasVanishedIsNoticed(t *testing.T) {
	t.Parallel()
	pgtest.Whole(t) // it waits for the network's own patience
	server, c := start(t)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	noError(t, err)
	defer l.Close()
	var network atomic.Pointer[atomic.Bool] // of the connections that are made now
	network.Store(new(atomic.Bool))
	go func() {
		for {
			in, err := l.Accept()
			if err != nil {
				return
			}
			out, err := net.Dial("unix", filepath.Join(server.Socket(), ".s.PGSQL.5432"))
			if err != nil {
				in.Close()
				continue
			}
			gone := network.Load()
			carry := func(to, from net.Conn) {
				_, _ = io.Copy(swallower{to, gone}, from)
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
	network.Swap(new(atomic.Bool)).Store(true)
	noError(t, second(begin(t, console(t, c), 100)))
	select {
	case <-changed:
	case <-time.After(time.Minute):
		t.Error("the console still listens to nothing")
	}
}
