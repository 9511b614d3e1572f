package ui

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"paydesk/ui/termtest"
)

// A ledger is a minimal program with a frame and a table.
type ledger struct {
	w, h  int
	frame Frame
	table *Table
	rows  int
}

func newLedger() *ledger {
	t := NewTheme(false)
	l := &ledger{table: NewTable(t, payments...)}
	l.frame = Frame{Theme: t, Environment: "LIVE", Live: true, Host: "127.0.0.1:8099", KeySource: "demo", Trail: []string{"Transactions"}}
	l.frame.Keys = append(l.table.Keys(), key.NewBinding(key.WithKeys("n"), key.WithHelp("n", "fewer rows")), Back)
	l.setRows(100)
	return l
}

func (l *ledger) setRows(n int) {
	l.rows = n
	l.table.SetRows(n, payment)
}

func (l *ledger) Init() tea.Cmd { return nil }

func (l *ledger) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if l.table.Update(msg) {
		l.frame.Notice = Notice{Text: fmt.Sprintf("row %d of %d", l.table.Selected()+1, l.rows)}
		return l, nil
	}
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		l.w, l.h = msg.Width, msg.Height
		l.table.Resize(BodySize(l.w, l.h))
	case tea.KeyPressMsg:
		switch msg.String() {
		case "n":
			l.setRows(l.rows * 2 / 3)
		case "b":
			l.frame.Notice = Notice{ToneBad, "The service refused it"}
		}
	}
	return l, nil
}

func (l *ledger) content() string { return l.frame.Render(l.w, l.h, l.table.View()) }

func (l *ledger) View() tea.View {
	v := tea.NewView(l.content())
	v.AltScreen = true
	return v
}

// wanted returns the text of a view as a screen of h lines shows it.
func wanted(view string, h int) string {
	lines := strings.Split(ansi.Strip(view), "\n")
	for len(lines) < h {
		lines = append(lines, "")
	}
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n")
}

func TestTheScreenShowsTheView(t *testing.T) {
	keys := []string{"up", "down", "down", "pgup", "pgdown", "home", "end", "n", "b"}
	rapid.Check(t, func(r *rapid.T) {
		steps := rapid.SliceOfN(rapid.IntRange(0, len(keys)), 1, 15).Draw(r, "steps")
		sizes := rapid.SliceOfN(rapid.IntRange(1, 130), 30, 30).Draw(r, "sizes")
		synctest.Test(t, func(t *testing.T) {
			l := newLedger()
			w, h := 80, 24
			g := termtest.Open(t, l, w, h)
			for i, step := range steps {
				if step == len(keys) {
					w, h = sizes[2*i], max(sizes[2*i+1]/3, 1)
					g.Resize(w, h)
				} else {
					g.Press(keys[step])
				}
				if want := wanted(l.content(), h); g.Screen() != want {
					r.Fatalf("step %d, %d×%d: the screen is\n%s\nand the view\n%s", i, w, h, g.Screen(), want)
				}
			}
		})
	})
}

// A move of the mark and a scroll by one line are what a slow link feels. The news of
// the row's number is in both.
func TestAMoveSendsFewBytes(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Bubble Tea draws there, and does not scroll")
	}
	synctest.Test(t, func(t *testing.T) {
		g := termtest.Open(t, newLedger(), 120, 40).Press("down")
		cost := func() int {
			before := len(g.Bytes())
			g.Press("down")
			return len(g.Bytes()) - before
		}
		if n := cost(); n > 60 {
			t.Errorf("a move costs %d bytes", n)
		}
		for g.Sees("pay-0000"); !strings.Contains(g.Line("▌ pay"), "pay-0034"); {
			g.Press("down")
		}
		g.Sees("pay-0000")
		if n := cost(); n > 290 {
			t.Errorf("a scroll by one costs %d bytes", n)
		}
		g.WaitsUntilGone("pay-0000")
	})
}
