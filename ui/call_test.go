package ui

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
)

const secret = "4242424242424242"

// A fakeScreen has a scope and collects the replies that are delivered to it.
type fakeScreen struct {
	Screen
	scope   Scope
	work    Work
	replies chan tea.Msg
}

func newFakeScreen(t *testing.T) *fakeScreen {
	d := &fakeScreen{replies: make(chan tea.Msg, 10)}
	d.scope = NewScope(t.Context(), &d.work, &Clock{}, d)
	return d
}

// receive returns the result in msg if it counts for c.
func receive[T any](c *Call[T], msg tea.Msg) (Result[T], bool) {
	o, is := msg.(outcome)
	if !is || o.task != &c.task || !o.counts() {
		return Result[T]{}, false
	}
	v, _ := o.value.(T)
	return Result[T]{v, o.err}, true
}

// run runs a command as the program would and delivers its reply.
func (d *fakeScreen) run(t *testing.T, cmd tea.Cmd) {
	t.Helper()
	if cmd == nil {
		t.Fatal("there is no command to run")
	}
	go func() {
		if r, ok := cmd().(tea.BatchMsg)[0]().(Reply); ok && r.To == Screen(d) {
			d.replies <- r.Msg
		}
	}()
}

// after returns work that takes d and stops with its context.
func after(d time.Duration, word string) func(context.Context) (string, error) {
	return func(ctx context.Context) (string, error) {
		select {
		case <-time.After(d):
			return word, nil
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}
}

func TestOnlyTheLatestResultCounts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newFakeScreen(t)
		var c Call[string]
		d.run(t, c.Ask(d.scope, after(3*time.Second, "first")))
		d.run(t, c.Ask(d.scope, func(context.Context) (string, error) { // ignores its context
			time.Sleep(2 * time.Second)
			return "second", nil
		}))
		d.run(t, c.Ask(d.scope, after(4*time.Second, "third")))
		var accepted []string
		for range 3 {
			if a, ok := receive(&c, <-d.replies); ok {
				accepted = append(accepted, a.Value)
			}
		}
		if strings.Join(accepted, " ") != "third" || c.Pending() {
			t.Errorf("accepted %q, pending %v", accepted, c.Pending())
		}
	})
}

func TestACommitRefusesToStartTwice(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newFakeScreen(t)
		var c Call[string]
		times := 0
		work := func(context.Context) (string, error) {
			times++
			time.Sleep(time.Second)
			return "paid", nil
		}
		d.run(t, c.Commit(d.scope, time.Minute, work))
		c.Drop() // must not drop a commit
		if c.Commit(d.scope, time.Minute, work) != nil || c.Ask(d.scope, work) != nil {
			t.Error("a second start was not refused")
		}
		if a, ok := receive(&c, <-d.replies); !ok || a.Value != "paid" || times != 1 {
			t.Errorf("result %+v, %v; the work was done %d times", a, ok, times)
		}
		d.run(t, c.Commit(d.scope, time.Minute, work)) // the first one has ended
		<-d.replies
	})
}

func TestWorkIsBusyFromCommitToResult(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newFakeScreen(t)
		var a, b Call[string]
		cmd := a.Commit(d.scope, time.Minute, after(5*time.Second, "a"))
		if !d.work.Busy() {
			t.Error("work is not counted before its command runs")
		}
		d.run(t, cmd)
		d.run(t, b.Commit(d.scope, time.Minute, after(20*time.Second, "b")))
		short, stop := context.WithTimeout(t.Context(), 10*time.Second)
		defer stop()
		if d.work.Wait(short) {
			t.Error("work ended while a commit was in progress")
		}
		start := time.Now()
		if !d.work.Wait(t.Context()) || time.Since(start) != 10*time.Second || d.work.Busy() {
			t.Errorf("waited %v, still busy %v", time.Since(start), d.work.Busy())
		}
		if !d.work.Wait(t.Context()) {
			t.Error("waiting for nothing did not succeed")
		}
	})
}

func TestAPanicIsAnErrorWithoutItsValue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newFakeScreen(t)
		var c Call[string]
		d.run(t, c.Commit(d.scope, time.Minute, func(context.Context) (string, error) { panic(secret) }))
		a, ok := receive(&c, <-d.replies)
		if !ok || !errors.Is(a.Err, ErrPanicked) || !strings.Contains(a.Err.Error(), "string") {
			t.Fatalf("result %+v, %v", a, ok)
		}
		if strings.Contains(a.Err.Error(), secret) {
			t.Errorf("the error contains the panic value: %v", a.Err)
		}
		if d.work.Busy() {
			t.Error("Work is still busy after a panic")
		}
	})
}
