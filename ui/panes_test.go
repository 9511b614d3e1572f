package ui

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"pgregory.net/rapid"

	"paydesk/ui/termtest"
)

// A desk is a minimal program with a list and a pane.
type desk struct {
	Body
	w, h  int
	clock Clock
	table *Table
	panes *Panes
}

func newDesk() *desk {
	d := &desk{Body: Body{Theme: NewTheme(false)}}
	d.table = NewTable(d.Theme, payments...)
	d.table.SetRows(100, payment)
	d.panes = NewPanes(d.Theme, d.table)
	return d
}

func (d *desk) Init() tea.Cmd { return nil }

func (d *desk) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	d.clock.Filter(nil, msg)
	switch msg := msg.(type) {
	case Reply:
		return d, msg.Deliver()
	case tea.WindowSizeMsg:
		d.w, d.h = msg.Width, msg.Height
		d.panes.Resize(BodySize(d.w, d.h))
		d.table.Resize(d.panes.ListSize())
	case tea.KeyPressMsg:
		if msg.String() == "n" {
			d.table.SetRows(d.table.Len()/2, payment)
		}
		cmd, _ := d.panes.Update(NewScope(context.Background(), &Work{}, &d.clock, nil), msg)
		return d, cmd
	}
	return d, nil
}

// facts are a pane that fills its room.
func facts(row, w, h int) (lines []string) {
	for n := range h + 3 {
		lines = append(lines, fmt.Sprintf("fact %d of row %d %s", n, row, strings.Repeat("x", w)))
	}
	return lines
}

func (d *desk) View() tea.View {
	f := Frame{Theme: d.Theme, Trail: []string{"Desk"}}
	v := tea.NewView(f.Render(d.w, d.h, d.panes.View(d.table.View(), facts)))
	v.AltScreen = true
	return v
}

func TestPanesStayWithinTheirSize(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := newDesk()
		w, h := rapid.IntRange(-1, 260).Draw(t, "w"), rapid.IntRange(-1, 70).Draw(t, "h")
		d.panes.Below(rapid.IntRange(0, 9).Draw(t, "below"))
		d.panes.Resize(w, h)
		d.table.Resize(d.panes.ListSize())
		d.table.SetRows(rapid.IntRange(0, 99).Draw(t, "rows"), payment)
		fits(t, d.panes.View(d.table.View(), facts), w, h)
		lw, lh := d.panes.ListSize()
		pw, ph := d.panes.PaneSize()
		if beside := d.panes.Beside(); beside && (lw < leastList || lw > mostList || pw < 27 || lw+3+pw != w) || !beside && (lw != max(w, 0) || lh+ph != max(h, 0)) {
			t.Fatalf("a list of %d×%d and a pane of %d×%d in %d×%d", lw, lh, pw, ph, w, h)
		}
		fits(t, strings.Join(d.Theme.Invite("Nothing has been sent from here yet.", Bind("c", "collect a payment"), w, h), "\n"), w, h)
	})
}

func TestThePaneFollowsTheMarkAMomentAfterTheLastKey(t *testing.T) {
	for _, size := range [][2]int{{120, 40}, {80, 24}} {
		synctest.Test(t, func(t *testing.T) {
			g := termtest.Open(t, newDesk(), size[0], size[1])
			for range 5 {
				before := len(g.Bytes())
				g.Press("down")
				if n := len(g.Bytes()) - before; n > 24 {
					t.Errorf("a move costs %d bytes", n)
				}
			}
			g.Sees("▌ pay-0005", "of row 0").Wait(followAfter).Sees("fact 0 of row 5").WaitsUntilGone("row 0")
			g.Press("end").Wait(time.Second).Sees("fact 0 of row 99")
			before := len(g.Bytes())
			if g.Press("down").Wait(time.Second); len(g.Bytes()) != before {
				t.Error("a key that moved nothing was drawn")
			}
		})
	}
}
