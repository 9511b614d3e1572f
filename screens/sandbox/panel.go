package sandbox

import (
	"reflect"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/screens/present"
	"paydesk/ui"
)

// A panel is a table with text above and below it. In a wide window the text below moves to
// the table's right.
type panel interface {
	common() *base
	commands() ui.Commands
	// read updates the panel from the sandbox.
	read()
	// head is the text above the table.
	head(w int) []string
	// foot is the text below the table; lines are dropped in a low window.
	foot(w int) []present.Line
}

// A base is what all panels have.
type base struct {
	m     *Model
	title string
	about string // the title of the text below the table
	moves int    // how many of the table's bindings the help shows
	table *ui.Table
	rows  any   // that the table has
	least int   // lines of the table where there is room; 0 for as in a low window
	below panel // what it was opened over; nil for the list
}

func newBase(m *Model, title, about string, moves int, columns ...ui.Column) base {
	return base{m: m, title: title, about: about, moves: moves, table: ui.NewTable(m.Theme, columns...)}
}

// setRows gives the table its n rows, unless those that they are made of are as before: the text beside the table waits for the
// mark to rest, which rows that are new would end.
func (b *base) setRows(of any, n int, row func(i int) []ui.Cell) {
	if b.rows != nil && reflect.DeepEqual(b.rows, of) {
		return
	}
	b.rows = of
	b.table.SetRows(n, row)
}

// shown is the one of all that the text below the table is about: that at the mark, once it rests.
func shown[T any](b *base, all []T) (one T, ok bool) {
	if i := b.m.panes.Row(); b.m.active().common() == b && i >= 0 && i < len(all) {
		return all[i], true
	}
	return ui.Selected(b.table, all)
}

func (b *base) common() *base     { return b }
func (b *base) read()             {}
func (b *base) head(int) []string { return nil }

const (
	label      = 11 // width of the label column, in cells
	minRows    = 4  // lines of a table in a low window: its titles and three rows
	roomy      = 18 // lines from which a table has the lines that it asks for
	entryLines = 3  // lines of an input line: itself and its messages
)

// active is the panel that takes the keys: the list, unless another is over it.
func (m *Model) active() panel {
	if m.overlay != nil {
		return m.overlay
	}
	return m.list
}

// A layout is the size and position of a panel's parts.
type layout struct {
	head, foot []string
	beside     bool // the foot is to the right of the table
	left       int  // width of the table
	lines      int  // lines of the table, including its titles
}

// layout gives the table what it needs in a low window and the text below it the rest. An input line
// comes before both.
func (m *Model) layout() layout {
	p := m.active()
	l := layout{head: p.head(m.W), left: m.W}
	room := max(m.H-len(l.head), 0)
	wanted := 0
	if n := p.common().table.Len(); n > 0 {
		wanted = n + 1
	}
	switch {
	case m.entry != nil:
		l.lines = min(wanted, max(room-m.entry.height()-1, 0))
		return l
	case m.panes.Beside() && wanted > 0:
		l.beside = true
		l.left, _ = m.panes.ListSize()
		w, _ := m.panes.PaneSize()
		l.foot = append([]string{m.Theme.Rule(p.common().about, "", w)}, present.FitHeight(max(room-1, 0), p.foot(w))...)
		l.lines = min(wanted, room)
		return l
	}
	least := min(wanted, minRows)
	if room >= roomy {
		least = min(wanted, max(p.common().least, minRows))
	}
	l.foot = present.FitHeight(max(room-least-1, 0), p.foot(m.W))
	l.lines = min(wanted, max(room-len(l.foot)-1, least))
	return l
}

// resizeTable sets the table's size. View must not change anything, so Update does it.
func (m *Model) resizeTable() {
	l := m.layout()
	m.active().common().table.Resize(l.left, l.lines)
}

// View implements [ui.Screen].
func (m *Model) View() (string, *tea.Cursor) {
	if m.W < 1 || m.H < 1 {
		return "", nil
	}
	l := m.layout()
	var table []string
	if l.lines > 0 {
		table = strings.Split(m.active().common().table.View(), "\n")
	}
	switch {
	case m.entry != nil:
		return m.viewEntry(append(l.head, table...))
	case l.beside:
		return ui.Lines(m.W, m.H, append(l.head, m.Theme.Beside(l.left, m.H-len(l.head), table, l.foot))...), nil
	case len(table) > 0 && len(l.foot) > 0:
		table = append(table, m.Theme.Rule(m.active().common().about, "", m.W))
	}
	return ui.Lines(m.W, m.H, slices.Concat(l.head, table, l.foot)...), nil
}

// A fact is a label and a text.
type fact struct {
	rank        int
	label, text string
}

// facts are those with a text, wrapped in a column of their own.
func (m *Model) facts(w int, facts ...fact) (lines []present.Line) {
	for _, f := range facts {
		if f.text != "" {
			lines = append(lines, present.Rows(f.rank, m.Theme.FactLines(f.label, f.text, label, w)...)...)
		}
	}
	return lines
}

// Keys implements [ui.Screen].
func (m *Model) Keys() []key.Binding {
	switch {
	case m.entry != nil && m.entry.line:
		return []key.Binding{ui.Bind("enter", "confirm")}
	case m.entry != nil:
		return m.entry.form.Keys()
	}
	p := m.active()
	moves := p.common().table.Keys()
	return append(p.commands().Keys(), moves[:min(p.common().moves, len(moves))]...)
}
