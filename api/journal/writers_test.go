package journal_test

import (
	"bufio"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/api/money"
)

// writerEnv makes the test binary a console that writes attempts until it is killed, or that
// sends one payment for each line it reads.
const writerEnv = "PAYDESK_TEST_WRITER"

func runWriter(task string) {
	part := strings.Fields(task)
	if part[0] == "limit" {
		limitFileSize()
	}
	j, err := openJournal(context.Background(), journal.Options{Dir: part[1]})
	defer func() { j.Close() }()
	switch {
	case part[0] == "try":
		_, n, _ := j.Attempts(context.Background(), journal.Filter{}, 0, 1)
		if err != nil {
			err = fmt.Errorf("blocked %w", err)
		}
		fmt.Println(err, n, "attempts")
	case err != nil:
		fmt.Println("blocked", err)
	case part[0] == "same":
		sendTheSame(j)
	default:
		for n := 0; writeOne(j, n); n++ {
		}
	}
}

// writeOne begins and ends an attempt, and prints each step once it is acknowledged.
func writeOne(j *journal.Journal, n int) bool {
	ctx := context.Background()
	currency, _ := money.ParseCurrency("GBP")
	a, err := j.Begin(ctx, ledger.Attempt{Kind: ledger.Initiate, Destination: shop, Amount: money.Amount{Minor: rand.Int64N(1e12), Currency: currency}}, ledger.Payer{}, nil)
	if err != nil {
		fmt.Println("blocked", err)
		return false
	}
	fmt.Println("begun", a.ID)
	answer := accepted("R-"+string(a.ID), "SUCCESSFUL")
	if n%3 == 0 {
		answer = ledger.Result{Outcome: ledger.Refused, Why: "no"}
	}
	if err := j.End(ctx, a.ID, answer); err != nil {
		fmt.Println("blocked", err)
		return false
	}
	fmt.Println("ended", a.ID, answer.Outcome)
	return true
}

// sendTheSame begins a payment of the amount in each line of its input.
func sendTheSame(j *journal.Journal) {
	currency, _ := money.ParseCurrency("GBP")
	in := bufio.NewScanner(os.Stdin)
	fmt.Println("ready")
	for in.Scan() {
		var minor int64
		fmt.Sscan(in.Text(), &minor)
		_, err := j.Begin(context.Background(), ledger.Attempt{Kind: ledger.Initiate, Destination: shop, Link: "spring-sale",
			Amount: money.Amount{Minor: minor, Currency: currency}}, ledger.Payer{}, nil)
		switch _, alike := errors.AsType[*ledger.Duplicate](err); {
		case err == nil:
			fmt.Println("sent")
		case alike:
			fmt.Println("warned")
		default:
			fmt.Println("blocked", err)
		}
	}
}

// duration is how long an endurance test lasts: PAYDESK_LONG when it is a duration.
func duration(short time.Duration) time.Duration {
	switch d, err := time.ParseDuration(os.Getenv("PAYDESK_LONG")); {
	case err == nil:
		return d
	case os.Getenv("PAYDESK_LONG") != "":
		return time.Minute
	}
	return short
}

// A tally is what the consoles acknowledged.
type tally struct {
	mu    sync.Mutex
	ended map[string]string // id and outcome; "" while only begun
	busy  int               // rejected because others locked the file for 5 seconds
	odd   []string
}

func (l *tally) note(line string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	part := strings.Fields(line)
	switch {
	case len(part) == 2 && part[0] == "begun":
		l.ended[part[1]] = ""
	case len(part) == 3 && part[0] == "ended":
		l.ended[part[1]] = part[2]
	case strings.Contains(line, "5 seconds"): // nothing was sent: the machine is busy
		l.busy++
	default:
		l.odd = append(l.odd, line)
	}
}

// untilKilled runs one console after the other, and kills each after a random time.
func (l *tally) untilKilled(t *testing.T, dir string, until time.Time) (kills int) {
	for time.Now().Before(until) {
		c := exec.Command(os.Args[0])
		c.Env = append(os.Environ(), writerEnv+"=loop "+dir)
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
				timer = time.AfterFunc(time.Duration(rand.IntN(400))*time.Millisecond, func() { c.Process.Kill() })
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

// Eight consoles write at once and are killed at random points: nothing acknowledged is lost,
// and a file is sound. PAYDESK_LONG=60s sets how long.
func TestNothingAcknowledgedIsLostWhenConsolesAreKilled(t *testing.T) {
	onlyLong(t)
	t.Parallel()
	dir := newDir(t)
	l := &tally{ended: map[string]string{}}
	until := time.Now().Add(duration(time.Minute))
	var all sync.WaitGroup
	var kills [8]int
	for i := range kills {
		all.Go(func() { kills[i] = l.untilKilled(t, dir, until) })
	}
	all.Wait()
	if len(l.odd) > 0 {
		t.Errorf("%d lines such as %q", len(l.odd), l.odd[0])
	}
	inFile := os.Getenv(storeEnv) == ""
	if inFile {
		noError(t, journal.FullCheck(t.Context(), dir))
	}
	j, err := openJournal(t.Context(), journal.Options{Dir: dir})
	if err != nil || j.DamagedBackup() != "" {
		t.Fatal(err, j.DamagedBackup())
	}
	defer j.Close()
	lost, begun := 0, 0
	for id, outcome := range l.ended {
		a, err := j.Attempt(t.Context(), ledger.ID(id))
		if outcome == "" {
			begun++ // its end may have been recorded and not printed
		}
		if err != nil || outcome != "" && string(a.Outcome) != outcome || a.Outcome == ledger.Sent {
			lost++
		}
	}
	sum := 0
	for _, n := range kills {
		sum += n
	}
	if lost > 0 || len(l.ended) == 0 {
		t.Errorf("lost %d of %d", lost, len(l.ended))
	}
	if inFile {
		if result := integrity(t, j.Path()); result != "ok" {
			t.Errorf("integrity %q", result)
		}
	}
	t.Logf("%d kills, %d attempts acknowledged, %d of them between begin and end, %d lost, %d told to wait", sum, len(l.ended), begun, lost, l.busy)
}

func integrity(t testing.TB, path string) (result string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.QueryRow("PRAGMA integrity_check").Scan(&result); err != nil {
		t.Fatal(err)
	}
	return result
}

// A sender is a console that runs sendTheSame.
type sender struct {
	*exec.Cmd
	in  *bufio.Writer
	out *bufio.Scanner
}

func newSender(t *testing.T, dir string) *sender {
	t.Helper()
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), writerEnv+"=same "+dir)
	in, err1 := c.StdinPipe()
	out, err2 := c.StdoutPipe()
	if err := errors.Join(err1, err2, c.Start()); err != nil {
		t.Fatal(err)
	}
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

func TestOfTwoConsolesThatSendTheSameOneIsWarned(t *testing.T) {
	t.Parallel()
	dir := newDir(t)
	one, two := newSender(t, dir), newSender(t, dir)
	for n := range repeats(10, 50) {
		one.send(1000 + n)
		two.send(1000 + n)
		if !one.out.Scan() || !two.out.Scan() {
			t.Fatal("a console ended")
		}
		if result := []string{one.out.Text(), two.out.Text()}; !(result[0] == "sent" && result[1] == "warned" || result[0] == "warned" && result[1] == "sent") {
			t.Errorf("payment %d: %q", n, result)
		}
	}
}

func TestConsolesThatBeginTheFirstJournalTogetherShareIt(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("nothing locks the first file there: one that collides says so")
	}
	for range repeats(2, 5) {
		dir := newDir(t)
		all := make([]*sender, 4)
		var starting sync.WaitGroup
		for i := range all {
			starting.Go(func() { all[i] = newSender(t, dir) })
		}
		starting.Wait()
		sent := 0
		for _, s := range all {
			s.send(700)
			if s.out.Scan() && s.out.Text() == "sent" {
				sent++
			}
		}
		if sent != 1 {
			t.Errorf("the same payment was sent %d times", sent)
		}
	}
}
