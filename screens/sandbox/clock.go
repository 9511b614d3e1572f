package sandbox

import (
	"context"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"paydesk/screens/present"
	"paydesk/ui"
)

// steps set how far the clock can be moved on at once.
var steps = []time.Duration{10 * time.Second, time.Minute, 10 * time.Minute, time.Hour, 24 * time.Hour}

// A clockChooser moves the sandbox's clock on.
type clockChooser struct {
	base
}

// newClock selects a minute.
func newClock(m *Model) *clockChooser {
	c := &clockChooser{newBase(m, "Clock", "Clock", 1, ui.Column{Title: "Move the clock on by", Width: 20, Grow: true})}
	c.table.SetRows(len(steps), func(i int) []ui.Cell { return []ui.Cell{{Text: "+" + span(steps[i])}} })
	c.table.Select(1)
	return c
}

func (c *clockChooser) foot(w int) []present.Line {
	return present.Rows(rankKeep, ui.Wrap("Payments settle, accounts expire and webhooks are retried as if the time had passed. The clock cannot be moved back.", w)...)
}

func (c *clockChooser) commands() ui.Commands {
	return ui.Commands{{Key: ui.Bind("enter", "move on"), On: true, Do: c.askMove}}
}

// askMove asks before the clock takes several payments to their end.
func (c *clockChooser) askMove() tea.Cmd {
	by, n := steps[c.table.Selected()], c.m.list.open()
	move := func() tea.Cmd { return c.move(by) }
	if n < 2 {
		return move()
	}
	return c.m.ask(ui.Question{
		Title: "Move the clock on by " + span(by) + "?",
		Lines: []string{present.Thousands(n) + " payments are not final: each of them may settle, fail or expire. The clock cannot be moved back."},
		Yes:   "Move on",
	}, move)
}

func (c *clockChooser) move(by time.Duration) tea.Cmd {
	box := c.m.sandbox
	return c.m.act(func(ctx context.Context) error { return box.Forward(ctx, by) }, func(err error) tea.Cmd {
		if err != nil {
			return c.m.Warn(explain(err))
		}
		return c.m.closeWith("The clock is now " + span(c.m.view.Ahead) + " ahead.")
	})
}

// span formats a duration in full: "1 h 10 min".
func span(d time.Duration) string {
	var words []string
	for _, u := range []struct {
		unit time.Duration
		name string
	}{{24 * time.Hour, " d"}, {time.Hour, " h"}, {time.Minute, " min"}, {time.Second, " s"}} {
		if n := d / u.unit; n > 0 {
			words = append(words, strconv.FormatInt(int64(n), 10)+u.name)
			d -= n * u.unit
		}
	}
	return strings.Join(words, " ")
}
