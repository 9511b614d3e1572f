package journal_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"paydesk/api/journal"
	"paydesk/api/journal/postgres"
	"paydesk/api/ledger"
	"paydesk/api/money"
)

// consoleEnv makes the test binary another console, with a task: to record payments until it is killed, or until nothing
// can be written, or to send one payment for each line it reads.
const consoleEnv = "PAYDESK_TEST_CONSOLE"

// anotherConsole is a process with a task.
func anotherConsole(task ...string) *exec.Cmd {
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), consoleEnv+"="+strings.Join(task, " "))
	return c
}

func runConsole(task []string) {
	what, dir := task[0], task[1]
	switch what {
	case "limit":
		limitFileSize()
	case "team":
		j := journal.NewShared(must(postgres.Open(postgres.Config{URL: task[2]})), ofTeam(dir))
		for {
			record(j, sameSoon(), func(line string) { fmt.Println(line) })
		}
	}
	j, err := openJournal(context.Background(), journal.Options{Dir: dir})
	defer func() { j.Close() }()
	switch {
	case err != nil:
		fmt.Println("blocked", err)
	case what == "same":
		sendTheSame(j)
	default:
		for record(j, rand.Int64N(1e12), func(line string) { fmt.Println(line) }) || what != "limit" {
			if rand.IntN(9) == 0 { // a kill while the log is written into the file loses nothing either
				_ = j.Look(context.Background())
			}
		}
	}
}

// sameSoon is an amount that others send as well at about the same time.
func sameSoon() int64 { return time.Now().UnixMilli() / 40 }

// record records a payment, and says each step once it is acknowledged, or kept here until it can be written. It is false
// when nothing can be written.
func record(j *journal.Journal, minor int64, say func(string)) bool {
	ctx := context.Background()
	a, err := j.Begin(ctx, ledger.Attempt{Kind: ledger.Initiate, Destination: shop, Amount: money.Amount{Minor: minor, Currency: pound}}, ledger.Payer{}, nil)
	switch {
	case isDuplicate(err):
		return true
	case err != nil:
		say("blocked " + strings.ReplaceAll(err.Error(), "\n", " "))
		<-time.After(time.Duration(rand.IntN(50)) * time.Millisecond)
		return false
	}
	say("begun " + string(a.ID))
	answer := accepted("R-"+string(a.ID), "SUCCESSFUL")
	if rand.IntN(3) == 0 {
		answer = ledger.Result{Outcome: ledger.Refused, Why: "no"}
	}
	_ = j.End(ctx, a.ID, answer) // where it cannot be written, it waits here, also when this console is killed now
	if unkept := j.UnkeptOutcomes(ctx); len(unkept) > 0 {
		say("blocked " + string(unkept[0]))
		return false
	}
	say("ended " + string(a.ID) + " " + string(answer.Outcome))
	return true
}

var pound = must(money.ParseCurrency("GBP"))

// sendTheSame begins a payment of the amount in each line of its input.
func sendTheSame(j *journal.Journal) {
	in := bufio.NewScanner(os.Stdin)
	fmt.Println("ready")
	for in.Scan() {
		a := ledger.Attempt{Kind: ledger.Initiate, Destination: shop, Link: "spring-sale", Amount: money.Amount{Currency: pound}}
		fmt.Sscan(in.Text(), &a.Amount.Minor)
		switch _, err := j.Begin(context.Background(), a, ledger.Payer{}, nil); {
		case err == nil:
			fmt.Println("sent")
		case isDuplicate(err):
			fmt.Println("warned")
		default:
			fmt.Println("blocked", err)
		}
	}
}

// duration returns how long an endurance test lasts: PAYDESK_LONG when it is a duration.
func duration(short time.Duration) time.Duration {
	switch d, err := time.ParseDuration(os.Getenv("PAYDESK_LONG")); {
	case err == nil:
		return d
	case os.Getenv("PAYDESK_LONG") != "":
		return time.Minute
	}
	return short
}

// A tally holds what the consoles acknowledged.
type tally struct {
	mu    sync.Mutex
	ended map[string]string // id and outcome; "" while only begun
	busy  int               // told that nothing was sent: others have the file or the server, or it cannot be reached
	odd   []string
}

func (l *tally) note(line string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	part := strings.Fields(line)
	isBusy := func(words string) bool { return strings.Contains(line, words) }
	switch {
	case len(part) == 2 && part[0] == "begun":
		l.ended[part[1]] = ""
	case len(part) == 3 && part[0] == "ended":
		l.ended[part[1]] = part[2]
	case slices.ContainsFunc([]string{"5 seconds", "team's journal", "Other consoles"}, isBusy):
		l.busy++
	default:
		l.odd = append(l.odd, line)
	}
}

// untilKilled runs one console after the other, and kills each after a random time.
func (l *tally) untilKilled(t *testing.T, until time.Time, task ...string) (kills int) {
	for time.Now().Before(until) {
		c := anotherConsole(task...)
		out, err := c.StdoutPipe()
		if err == nil {
			err = c.Start()
		}
		if err != nil {
			t.Error(err)
			return kills
		}
		var timer *time.Timer
		for in := bufio.NewReader(out); ; {
			line, err := in.ReadString('\n')
			if err != nil {
				break // an incomplete line was not acknowledged
			}
			l.note(strings.TrimSuffix(line, "\n"))
			if timer == nil { // from its first line on, because a slow start has nothing to lose
				timer = time.AfterFunc(time.Duration(rand.IntN(1000))*time.Millisecond, func() { c.Process.Kill() })
			}
		}
		if timer != nil {
			timer.Stop()
		}
		c.Process.Kill()
		c.Wait()
		kills++
	}
	return kills
}

// endures has eight consoles record at once and be killed at random points, while trouble makes more of it. PAYDESK_LONG=60s
// sets how long.
func endures(t *testing.T, lasts time.Duration, trouble func(), task ...string) *tally {
	t.Helper()
	l := &tally{ended: map[string]string{}}
	until := time.Now().Add(lasts)
	var all sync.WaitGroup
	var kills atomic.Int64
	for range 8 {
		all.Go(func() { kills.Add(int64(l.untilKilled(t, until, task...))) })
	}
	for trouble != nil && time.Now().Before(until) {
		trouble()
	}
	all.Wait()
	t.Logf("%d consoles were killed", kills.Load())
	return l
}

// isThere checks that a journal has all that was acknowledged, and no payment twice. The first use that can write writes
// what waits beside it.
func (l *tally) isThere(t *testing.T, j *journal.Journal) {
	t.Helper()
	defer j.Close()
	var all []ledger.Attempt
	for try := 0; ; try++ { // a server may still be recovering
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

func TestNothingAcknowledgedIsLostWhenConsolesAreKilled(t *testing.T) {
	onlyLong(t)
	t.Parallel()
	dir := newDir(t)
	l := endures(t, duration(time.Minute), nil, "loop", dir)
	if os.Getenv(storeEnv) == "" {
		noError(t, journal.FullCheck(t.Context(), dir))
	}
	l.isThere(t, must(openJournal(t.Context(), journal.Options{Dir: dir})))
}

// A sender is a console that runs sendTheSame.
type sender struct {
	*exec.Cmd
	in  *bufio.Writer
	out *bufio.Scanner
}

func newSender(t *testing.T, dir string) *sender {
	t.Helper()
	c := anotherConsole("same", dir)
	in, err1 := c.StdinPipe()
	out, err2 := c.StdoutPipe()
	noError(t, errors.Join(err1, err2, c.Start()))
	t.Cleanup(func() { in.Close(); c.Wait() })
	s := &sender{c, bufio.NewWriter(in), bufio.NewScanner(out)}
	if !s.out.Scan() || s.out.Text() != "ready" {
		t.Fatalf("the console says %q", s.out.Text())
	}
	return s
}

func (s *sender) send(minor int) {
	fmt.Fprintln(s.in, minor)
	s.in.Flush()
}

// Consoles that begin the journal together share it; of those that send the same, one sends.
func TestOfConsolesThatSendTheSameTheOthersAreWarned(t *testing.T) {
	t.Parallel()
	for range repeats(2, 5) {
		dir := newDir(t)
		all := make([]*sender, 4)
		var starting sync.WaitGroup
		for i := range all {
			starting.Go(func() { all[i] = newSender(t, dir) })
			if runtime.GOOS == "windows" { // nothing locks the first file there: one that collides says so
				starting.Wait()
			}
		}
		starting.Wait()
		for n := range repeats(5, 25) {
			said := map[string]int{}
			for _, s := range all {
				s.send(1000 + n)
			}
			for _, s := range all {
				if !s.out.Scan() {
					t.Fatal("a console ended")
				}
				said[s.out.Text()]++
			}
			if said["sent"] != 1 || said["warned"] != len(all)-1 {
				t.Errorf("payment %d: %v", n, said)
			}
		}
	}
}

// Two people take one attempt at the same moment: one of them has it.
func TestOnlyOneOfTwoTakesAnAttempt(t *testing.T) {
	t.Parallel()
	dir, c := newDir(t), newClock()
	ada := mustOpen(t, dir, c)
	bo := must(openJournal(t.Context(), journal.Options{Dir: dir, Now: c.now, Operator: ledger.Operator{User: "bo", Host: "desk2"}}))
	defer bo.Close()
	for i := range int64(5) {
		a := unresolved(t, ada, initiation(t, 1250+i))
		results := make(chan error, 2)
		for _, j := range []*journal.Journal{ada, bo} {
			go func() { results <- j.Take(t.Context(), a) }()
		}
		first, second := <-results, <-results
		if (first == nil) == (second == nil) {
			t.Errorf("%v and %v", first, second)
		}
		decide(t, map[bool]*journal.Journal{true: ada, false: bo}[mustAttempt(t, ada, a.ID).Lease.Mine], a.ID, ledger.GaveUp, "")
	}
}

func TestWhatCannotBeReadIsLeftOpen(t *testing.T) {
	t.Parallel()
	needsFile(t)
	j := mustOpen(t, "", newClock())
	a := unresolved(t, j, initiation(t, 100))
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if got := j.LeftOpen(ctx); len(got) != 1 || got[0].ID != a.ID || got[0].Amount != a.Amount {
		t.Errorf("%+v", got)
	}
}
