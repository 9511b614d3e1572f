package ui_test

import (
	"cmp"
	"context"
	"testing"
	"testing/synctest"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/screens/screentest"
	"paydesk/ui"
)

// A waiter is a screen that waits for one call.
type waiter struct {
	ui.Body
	call    ui.Call[string]
	work    func(context.Context) (string, error)
	changes int
	limit   time.Duration // 20 s where it is 0
	got     string
}

func (m *waiter) ask() tea.Cmd {
	return m.call.Then(func(r ui.Result[string]) tea.Cmd {
		m.got = "got " + r.Value
		return nil
	}).Timed(cmp.Or(m.limit, 20*time.Second), func() { m.changes++ }).Ask(m.Scope, m.work)
}

func (m *waiter) Init(s ui.Scope) tea.Cmd {
	m.Scope = s
	return m.ask()
}

func (m *waiter) Update(msg tea.Msg) tea.Cmd {
	if k, ok := msg.(tea.KeyPressMsg); ok && k.String() == "d" {
		m.call.Drop()
	}
	return nil
}

func (m *waiter) View() (string, *tea.Cursor) {
	lines := []string{m.got}
	if m.call.Pending() {
		lines = append(lines, m.Theme.WaitLines(m.call.Wait(), "Reading the page", m.W)...)
	}
	return ui.Lines(m.W, m.H, lines...), nil
}
func (m *waiter) Keys() []key.Binding { return nil }
func (m *waiter) Title() string       { return "Page" }

func waiting(t *testing.T, work func(context.Context) (string, error), story func(*screentest.Console, *waiter)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		m := &waiter{Body: ui.Body{Theme: screentest.Theme}, work: work}
		story(screentest.Open(t, m, 60, 18), m)
	})
}

// slowly is work that takes d.
func slowly(d time.Duration) func(context.Context) (string, error) {
	return func(ctx context.Context) (string, error) {
		select {
		case <-time.After(d):
			return "it", nil
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}
}

func TestAWaitCountsItsSecondsAndEndsWithItsCall(t *testing.T) {
	waiting(t, slowly(6500*time.Millisecond), func(c *screentest.Console, m *waiter) {
		c.Sees("◌ Reading the page… at most 20 s").Idle(500 * time.Millisecond)
		c.Wait(500 * time.Millisecond).Sees("Reading the page… 1 s of at most 20 s")
		c.Wait(5 * time.Second).Sees("6 s of at most 20 s").Wait(time.Second).Sees("got it").WaitsUntilGone("Reading")
		c.Idle(time.Hour)
		if m.call.Wait() != nil || m.changes != 6 {
			t.Errorf("%d changes, and the wait is %v", m.changes, m.call.Wait())
		}
	})
}

func TestADroppedCallIsNotWaitedFor(t *testing.T) {
	waiting(t, slowly(time.Hour), func(c *screentest.Console, m *waiter) {
		c.Wait(3 * time.Second).Press("d").WaitsUntilGone("Reading").Idle(time.Minute)
		if m.changes != 3 {
			t.Errorf("%d changes", m.changes)
		}
	})
}

func TestASetbackIsToldAtOnceWithTheNextTry(t *testing.T) {
	work := func(ctx context.Context) (string, error) {
		ui.Tell(ctx, ui.Setback{Why: "The host is away.", Again: 2500 * time.Millisecond, Try: 2, Of: 3})
		return slowly(5 * time.Second)(ctx)
	}
	waiting(t, work, func(c *screentest.Console, _ *waiter) {
		c.Sees("Reading the page… at most 20 s", "! The host is away.", "Next try in 3 s (2 of 3).")
		c.Wait(2*time.Second).Sees("2 s of at most 20 s", "Next try in 1 s (2 of 3).")
		c.Wait(time.Second).Sees("3 s of at most 20 s", "Trying again (2 of 3).")
		c.Wait(2 * time.Second).Sees("got it").WaitsUntilGone("The host is away")
	})
	ui.Tell(t.Context(), ui.Setback{Why: "nobody waits"})
}

func TestAWaitWithoutALimitShowsOnlyHowLongItHasBeen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &waiter{Body: ui.Body{Theme: screentest.Theme}, limit: ui.NoLimit, work: func(ctx context.Context) (string, error) {
			<-ctx.Done()
			return "", ctx.Err()
		}}
		c := screentest.Open(t, m, 60, 18)
		c.Sees("Reading the page…").WaitsUntilGone("at most", "0 s").Wait(3500 * time.Millisecond).Sees("Reading the page… 3 s").WaitsUntilGone("at most")
	})
}
