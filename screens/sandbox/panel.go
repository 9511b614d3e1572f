package sandbox

import (
	"context"
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
	moves int // how many of the table's bindings the help shows
	table *ui.Table
}

func newBase(m *Model, title string, moves int, columns ...ui.Column) base {
	return base{m: m, title: title, moves: moves, table: ui.NewTable(m.Theme, columns...)}
}

func (b *base) common() *base     { return b }
func (b *base) read()             {}
func (b *base) head(int) []string { return nil }

const (
	label      = 11 // width of the label column, in cells
	minRows    = 4  // lines of a table in a low window: its titles and three rows
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
		l.lines = min(wanted, max(room-entryLines-1, 0))
		return l
	case m.W >= present.WidePreview && wanted > 0:
		l.beside, l.left = true, m.W-present.PreviewWidth-2
		l.foot = present.FitHeight(room, p.foot(present.PreviewWidth))
		l.lines = min(wanted, room)
		return l
	}
	l.foot = present.FitHeight(max(room-min(wanted, minRows)-1, 0), p.foot(m.W))
	l.lines = min(wanted, max(room-len(l.foot)-1, min(wanted, minRows)))
	return l
}

// resizeTable sets the table's size. View must not change anything, so Update does it.
func (m *Model) resizeTable() {
	l := m.layout()
	m.active().common().table.Resize(l.left, l.lines)
}

// View implements [ui.Screen].
func (m *Model) View() (string, *tea.Cursor) {
	switch {
	case m.W < 1 || m.H < 1:
		return "", nil
	case m.confirm != nil:
		return m.confirm.View(m.W, m.H)
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
		return ui.Lines(m.W, m.H, append(l.head, present.SideBySide(l.left, table, l.foot)...)...), nil
	case len(table) > 0:
		table = append(table, "")
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
	case m.confirm != nil:
		return m.confirm.Keys()
	case m.entry != nil:
		return []key.Binding{ui.Bind("enter", "confirm")}
	}
	p := m.active()
	return append(p.commands().Keys(), p.common().table.Keys()[:p.common().moves]...)
}

// An entry is an input line over the panel.
type entry struct {
	form  *ui.Form
	field *ui.TextField
	words string // once it was taken; "" for none
	do    func(ctx context.Context, line string) error
}

// openEntry asks for a line of text and does something with it.
func (m *Model) openEntry(f *ui.TextField, words string, do func(context.Context, string) error) tea.Cmd {
	m.entry = &entry{ui.NewForm(m.Theme, f), f, words, do}
	return nil
}

// updateEntry passes a key or a paste to the line.
func (m *Model) updateEntry(msg tea.Msg) tea.Cmd {
	e := m.entry
	if e.form.Update(msg) != ui.Submitted {
		return nil
	}
	line := e.field.Value()
	return m.act(func(ctx context.Context) error { return e.do(ctx, line) }, func(err error) tea.Cmd {
		switch {
		case m.entry != e: // it was left
			return nil
		case err != nil:
			e.form.SetError(e.field, explain(err))
			return nil
		}
		m.entry = nil
		if e.words == "" {
			return nil
		}
		return m.Notify(e.words)
	})
}

// viewEntry draws the input line below other lines.
func (m *Model) viewEntry(lines []string) (string, *tea.Cursor) {
	if len(lines) > 0 {
		lines = append(lines, "")
	}
	return m.Under(lines, m.entry.form.View)
}
