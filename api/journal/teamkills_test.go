package journal_test

import (
	"io"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"paydesk/api/journal"
	"paydesk/api/journal/postgres"
	"paydesk/api/journal/postgres/pgtest"
	"paydesk/api/ledger"
)

// ofTeam are the options of a console whose folder has the team's key.
func ofTeam(dir string) journal.Options {
	return journal.Options{Dir: dir, KeyFile: filepath.Join(dir, "journal.key"), Operator: ledger.Operator{User: "ada", Host: filepath.Base(dir)}}
}

// newTeam returns a folder with the key of a journal that was set up at a server.
func newTeam(t *testing.T, server *pgtest.Cluster) (dir string) {
	t.Helper()
	noError(t, postgres.Init(t.Context(), postgres.Config{URL: server.URL("postgres", "postgres")}))
	dir = filepath.Join(t.TempDir(), "desk")
	noError(t, os.Mkdir(dir, 0o700))
	noError(t, os.WriteFile(filepath.Join(dir, "journal.key"), []byte(strings.Repeat("0f", 32)+"\n"), 0o600))
	return dir
}

// A cutter is the network between consoles and a server.
type cutter struct {
	net.Listener
	socket string
	mu     sync.Mutex
	open   map[net.Conn]bool
	cuts   int
}

func newCutter(t *testing.T, server *pgtest.Cluster) *cutter {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	noError(t, err)
	c := &cutter{Listener: l, socket: filepath.Join(server.Socket(), ".s.PGSQL.5432"), open: map[net.Conn]bool{}}
	go func() {
		for {
			in, err := l.Accept()
			if err != nil {
				return
			}
			go c.serve(in)
		}
	}()
	t.Cleanup(func() { l.Close(); c.cut() })
	return c
}

// serve carries what both sides say; of one connection in four it cuts an answer at some byte.
func (c *cutter) serve(in net.Conn) {
	out, err := net.Dial("unix", c.socket)
	if err != nil {
		in.Close()
		return
	}
	c.mu.Lock()
	c.open[in], c.open[out] = true, true
	c.mu.Unlock()
	var answers io.Reader = out
	if rand.IntN(4) == 0 {
		answers = io.LimitReader(out, rand.Int64N(40_000))
	}
	go func() { io.Copy(out, in); out.Close() }()
	io.Copy(in, answers)
	in.Close()
	out.Close()
	c.mu.Lock()
	delete(c.open, in)
	delete(c.open, out)
	c.mu.Unlock()
}

// cut ends all connections at once.
func (c *cutter) cut() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.cuts++
	for one := range c.open {
		one.Close()
	}
}

// Eight consoles of a team record at once and are killed at random points, and so are the processes of the server and
// the server itself, and connections are cut: nothing acknowledged is lost, nothing is there twice.
func TestNothingAcknowledgedIsLostWhenATeamsServerIsKilled(t *testing.T) {
	needsFile(t)
	pgtest.Whole(t)
	t.Parallel()
	server := pgtest.Start(t)
	dir, network := newTeam(t, server), newCutter(t, server)
	url := "postgres://postgres@" + network.Addr().String() + "/postgres"
	var backends, servers int
	l := endures(t, duration(4*time.Second), func() {
		<-time.After(time.Duration(400+rand.IntN(1600)) * time.Millisecond)
		switch rand.IntN(3) {
		case 0:
			network.cut()
		case 1:
			backends++
			server.KillBackend(t)
		default:
			servers++
			server.Kill(t)
			server.Restart(t)
		}
	}, "team", dir, url)
	t.Logf("%d processes of the server and %d servers killed, all connections cut %d times", backends, servers, network.cuts)
	l.isThere(t, teamAt(server, dir))
}

// teamAt is the journal of a team at a server.
func teamAt(server *pgtest.Cluster, dir string) *journal.Journal {
	return journal.NewShared(must(postgres.Open(postgres.Config{URL: server.URL("postgres", "postgres")})), ofTeam(dir))
}

// A server with a synchronous standby is killed, and the standby promoted: consoles that know both go on by themselves,
// and the standby has all that was acknowledged.
func TestAPromotedStandbyHasAllThatWasAcknowledged(t *testing.T) {
	needsFile(t)
	pgtest.Whole(t)
	t.Parallel()
	server := pgtest.Start(t)
	dir := newTeam(t, server)
	standby := server.Standby(t)
	c, err := pgx.Connect(t.Context(), server.URL("postgres", "postgres"))
	noError(t, err)
	for _, set := range []string{"ALTER SYSTEM SET synchronous_standby_names = '*'", "SELECT pg_reload_conf()"} {
		_, err = c.Exec(t.Context(), set)
		noError(t, err)
	}
	c.Close(t.Context())
	url := "postgres://postgres@/postgres?host=" + server.Socket() + "," + standby.Socket() + "&target_session_attrs=read-write"
	l := &tally{ended: map[string]string{}}
	var after sync.WaitGroup
	lasts := duration(4*time.Second) / 2
	killed, end := make(chan struct{}), time.Now().Add(2*lasts+10*time.Second)
	for range 4 {
		j := journal.NewShared(must(postgres.Open(postgres.Config{URL: url})), ofTeam(dir))
		t.Cleanup(func() { j.Close() })
		after.Go(func() {
			for healed := 0; healed < 10 && time.Now().Before(end); {
				record(j, sameSoon(), func(line string) {
					if l.note(line); strings.HasPrefix(line, "blocked") {
						return
					}
					select {
					case <-killed:
						healed++
					default:
					}
				})
			}
		})
	}
	<-time.After(lasts)
	server.Kill(t)
	standby.Promote(t)
	promoted := time.Now()
	close(killed)
	after.Wait()
	t.Logf("all consoles went on %v after the promotion", time.Since(promoted).Round(10*time.Millisecond))
	if time.Now().After(end) {
		t.Error("a console did not go on")
	}
	l.isThere(t, teamAt(standby, dir))
	server.Restart(t) // the memory that the killed one shared is given back where it ends
}
