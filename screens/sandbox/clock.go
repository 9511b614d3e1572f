package sandbox

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"paydesk/screens/detail"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/ui"
)

// steps set how far the clock can be moved on at once.
var steps = []time.Duration{10 * time.Second, time.Minute, 10 * time.Minute, time.Hour, 24 * time.Hour}

// openClock opens the choice of how far the clock is moved on.
func (m *Model) openClock() tea.Cmd {
	of := chooser("Clock", "Clock", steps, func(by time.Duration) []ui.Cell { return []ui.Cell{{Text: "+" + present.Lasted(by)}} },
		ui.Column{Title: "Move the clock on by", Width: 20, Grow: true})
	of.Says = func(_ time.Duration, _ bool, w, _ int) []present.Line {
		return present.Rows(rankKeep, ui.Wrap("Payments settle, accounts expire and webhooks are retried as if the time had passed. The clock cannot be moved back.", w)...)
	}
	of.Commands = func(by time.Duration, _ bool) ui.Commands {
		return ui.Commands{{Key: ui.Bind("enter", "move on"), On: true, Do: func() tea.Cmd { return m.moveClock(by) }}}
	}
	return detail.NewChooser(m.Body, of).Open(1)
}

// moveClock moves the clock on, after a question where that may end more than one payment.
func (m *Model) moveClock(by time.Duration) tea.Cmd {
	box, n := m.sandbox, m.open()
	move := func() tea.Cmd {
		return m.act(func(ctx context.Context) error { return box.Forward(ctx, by) }, func(err error) tea.Cmd {
			return m.tell("The clock is now " + present.Lasted(m.view.Ahead) + " ahead.")(err)
		})
	}
	if n < 2 {
		return tea.Batch(move(), nav.Pop)
	}
	return m.ask(ui.Question{
		Title: "Move the clock on by " + present.Lasted(by) + "?",
		Lines: []string{present.Thousands(n) + " payments are not final: each of them may settle, fail or expire. The clock cannot be moved back."},
		Yes:   "Move on",
	}, move)
}
