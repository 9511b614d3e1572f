package sandbox

import (
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
	keys() []key.Binding
	press(tea.KeyPressMsg) tea.Cmd
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
	table *ui.Table
	n     int // rows of the table
}

func newBase(m *Model, title string, columns ...ui.Column) base {
	return base{m: m, title: title, table: ui.NewTable(m.theme, columns...)}
}

func (b *base) setRows(n int, row func(int) []ui.Cell) {
	b.n = n
	b.table.SetRows(n, row)
}

func (b *base) common() *base     { return b }
func (b *base) head(int) []string { return nil }

const (
	label      = 11 // width of the label column, in cells
	minRows    = 4  // lines of a table in a low window: its titles and three rows
	entryLines = 3  // lines of an input line: itself and its messages
)

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

func (m *Model) layout() layout {
	p := m.active()
	l := layout{head: p.head(m.w), left: m.w}
	room := max(m.h-len(l.head), 0)
	wanted := 0
	if n := p.common().n; n > 0 {
		wanted = n + 1
	}
	switch {
	case m.entry != nil:
		l.lines = min(wanted, max(room-entryLines-1, 0))
		return l
	case m.w >= present.WidePreview && wanted > 0:
		l.beside, l.left = true, m.w-present.PreviewWidth-2
		l.foot = present.FitHeight(room, p.foot(present.PreviewWidth))
		l.lines = min(wanted, room)
		return l
	}
	l.foot = present.FitHeight(max(room-min(wanted, minRows)-1, 0), p.foot(m.w))
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
	case m.w < 1 || m.h < 1:
		return "", nil
	case m.confirm != nil:
		return m.confirm.View(m.w, m.h)
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
		return ui.Lines(m.w, m.h, append(l.head, present.SideBySide(l.left, table, l.foot)...)...), nil
	case len(table) > 0:
		table = append(table, "")
	}
	return ui.Lines(m.w, m.h, slices.Concat(l.head, table, l.foot)...), nil
}

// fact is a label and a text, wrapped in its own column.
func (m *Model) fact(rank int, name, words string, w int) []present.Line {
	return present.Rows(rank, m.theme.FactLines(name, words, label, w)...)
}

func enterKey(words string) key.Binding { return ui.Bind("enter", words) }

// isKey ignores whether the binding is enabled: a disabled key says why it is disabled.
func isKey(k tea.KeyPressMsg, b key.Binding) bool { return slices.Contains(b.Keys(), k.String()) }

// Keys implements [ui.Screen].
func (m *Model) Keys() []key.Binding {
	switch {
	case m.confirm != nil:
		return m.confirm.Keys()
	case m.entry != nil:
		return []key.Binding{enterKey("confirm")}
	}
	return m.active().keys()
}
