package journal_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"paydesk/api/journal"
	"paydesk/api/journal/postgres"
	"paydesk/api/journal/postgres/pgtest"
	"paydesk/api/ledger"
	"paydesk/api/money"
)

// teamEnv makes the test binary a console of a team, which records payments until it is killed.
const teamEnv = "PAYDESK_TEST_TEAM"

// runTeam prints each step of each payment once it is acknowledged, or kept here until the server is back. Consoles
// send the same amounts at about the same time.
func runTeam(task string) {
	url, dir, _ := strings.Cut(task, " ")
	j := journal.NewShared(must(postgres.Open(postgres.Config{URL: url})), ofTeam(dir))
	for {
		recordOne(j, func(line string) { fmt.Println(line) })
	}
}

// ofTeam are the options of a console whose folder has the team's key.
func ofTeam(dir string) journal.Options {
	return journal.Options{Dir: dir, KeyFile: filepath.Join(dir, "journal.key"), Operator: ledger.Operator{User: "ada", Host: filepath.Base(dir)}}
}

// recordOne records a payment.
func recordOne(j *journal.Journal, say func(string)) {
	ctx := context.Background()
	a, err := j.Begin(ctx, ledger.Attempt{Kind: ledger.Initiate, Destination: shop, Amount: money.Amount{Minor: time.Now().UnixMilli() / 40, Currency: must(money.ParseCurrency("GBP"))}, Channel: "CARD"}, ledger.Payer{}, nil)
	switch {
	case isDuplicate(err):
		return
	case err != nil:
		say("blocked " + strings.ReplaceAll(err.Error(), "\n", " "))
		<-time.After(time.Duration(rand.IntN(50)) * time.Millisecond)
		return
	}
	say("begun " + string(a.ID))
	answer := accepted("R-"+string(a.ID), "SUCCESSFUL")
	if rand.IntN(3) == 0 {
		answer = ledger.Result{Outcome: ledger.Refused, Why: "no"}
	}
	_ = j.End(ctx, a.ID, answer) // where it cannot be written, it waits here, also when this console is killed now
	say("ended " + string(a.ID) + " " + string(answer.Outcome))
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

// killed runs one console after the other, and kills each after a random time.
func (l *tally) killed(t *testing.T, url, dir string, until time.Time) (kills int) {
	for time.Now().Before(until) {
		c := exec.CommandContext(t.Context(), os.Args[0])
		c.Env = append(os.Environ(), teamEnv+"="+url+" "+dir)
		out, err := c.StdoutPipe()
		if err == nil {
			err = c.Start()
		}
		if err != nil {
			t.Error(err)
			return kills
		}
		timer := time.AfterFunc(time.Duration(100+rand.IntN(2000))*time.Millisecond, func() { c.Process.Kill() })
		for in := bufio.NewReader(out); ; {
			line, err := in.ReadString('\n')
			if err != nil {
				break // an incomplete line was not acknowledged
			}
			if blocked := strings.HasPrefix(line, "blocked"); !blocked {
				l.note(strings.TrimSuffix(line, "\n"))
			} else {
				l.blocked(line)
			}
		}
		timer.Stop()
		c.Wait()
		kills++
	}
	return kills
}

func (l *tally) blocked(line string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.busy++
	if !strings.Contains(line, "team's journal") && !strings.Contains(line, "Other consoles") {
		l.odd = append(l.odd, line)
	}
}

// Eight consoles of a team record at once and are killed at random points, and so are the processes of the server and
// the server itself, and connections are cut: nothing acknowledged is lost, nothing is there twice. PAYDESK_LONG=60s
// sets how long.
func TestNothingAcknowledgedIsLostWhenATeamsServerIsKilled(t *testing.T) {
	needsFile(t)
	pgtest.Whole(t)
	t.Parallel()
	server := pgtest.Start(t)
	dir, network := newTeam(t, server), newCutter(t, server)
	url := "postgres://postgres@" + network.Addr().String() + "/postgres"
	l := &tally{ended: map[string]string{}}
	until := time.Now().Add(duration(4 * time.Second))
	var consoles sync.WaitGroup
	var kills [8]int
	for i := range kills {
		consoles.Go(func() { kills[i] = l.killed(t, url, dir, until) })
	}
	var backends, servers int
	for time.Now().Before(until) {
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
	}
	consoles.Wait()
	sum := 0
	for _, n := range kills {
		sum += n
	}
	t.Logf("%d consoles, %d processes of the server and %d servers killed, all connections cut %d times", sum, backends, servers, network.cuts)
	l.isThere(t, server.URL("postgres", "postgres"), dir)
}

// isThere checks that a journal has all that was acknowledged, and no payment twice. The first use that can write writes
// what waits in the folder.
func (l *tally) isThere(t *testing.T, url, dir string) {
	t.Helper()
	j := journal.NewShared(must(postgres.Open(postgres.Config{URL: url})), ofTeam(dir))
	defer j.Close()
	var all []ledger.Attempt
	for try := 0; ; try++ { // it may still be recovering
		err := j.Check(t.Context())
		if err == nil {
			all, _, err = j.Attempts(t.Context(), journal.Filter{}, 0, 1<<20)
		}
		if err == nil {
			break
		}
		if try == 100 {
			t.Fatal(err)
		}
		<-time.After(100 * time.Millisecond)
	}
	if waiting, _ := j.LateOutcomes(); waiting != 0 {
		t.Errorf("%d outcomes wait for ever", waiting)
	}
	there, charged := map[string]ledger.Attempt{}, map[int64][]ledger.ID{}
	for _, a := range all {
		there[string(a.ID)] = a
		if a.Outcome == ledger.Accepted || a.Outcome == ledger.Unresolved || a.Outcome == ledger.Sent {
			charged[a.Amount.Minor] = append(charged[a.Amount.Minor], a.ID)
		}
	}
	lost, begun, doubled := 0, 0, 0
	for id, outcome := range l.ended {
		if outcome == "" {
			begun++ // its end may have been recorded and not printed
		}
		if a, is := there[id]; !is || outcome != "" && string(a.Outcome) != outcome || a.Outcome == ledger.Sent {
			lost++
			t.Logf("acknowledged %s as %q, there %v as %q", id, outcome, is, a.Outcome)
		}
	}
	for minor, ids := range charged {
		if len(ids) > 1 {
			doubled++
			t.Logf("%d was sent as %v", minor, ids)
		}
	}
	if lost > 0 || doubled > 0 || len(l.odd) > 0 || len(l.ended) == 0 {
		t.Errorf("lost %d, doubled %d, %d lines such as %q", lost, doubled, len(l.odd), slices.Concat(l.odd, []string{""})[0])
	}
	t.Logf("%d attempts acknowledged, %d of them between begin and end, %d lost, %d doubled, %d told that nothing was sent", len(l.ended), begun, lost, doubled, l.busy)
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
				recordOne(j, func(line string) {
					if strings.HasPrefix(line, "blocked") {
						l.blocked(line)
						return
					}
					l.note(line)
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
	l.isThere(t, standby.URL("postgres", "postgres"), dir)
}
