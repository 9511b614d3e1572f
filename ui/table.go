package ui

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

// A Column is a column of a [Table]. When the width is too small, columns with the largest Drop
// are left out first; Drop 0 always stays.
type Column struct {
	Title string
	Width int  // cells at least
	Grow  bool // shares the cells that are left
	Right bool // aligned right
	Drop  int
}

// A Cell is a text and its meaning.
type Cell struct {
	Text string
	Tone Tone // other than ToneNone, its glyph is drawn before the text
}

const (
	rowMark     = 2     // cells before a row, for the mark of the selected one
	colGap      = "  "  // between two columns
	maxRendered = 4_096 // rows in the cache
	header      = 1     // lines
)

// A Table shows a window of rows. Only visible rows are rendered, each once until the rows or the
// width change. The selected row has a mark in front and keeps its colours, so that moving the
// selection sends only a few bytes.
type Table struct {
	theme    *Theme
	columns  []Column
	w, h     int
	n        int // rows
	row      func(i int) []Cell
	selected int // -1 when n is 0
	top      int // the row on the first line

	shown    []shownColumn  // those that fit
	rendered map[int]string // rows without their mark, by index
	titles   string
}

// A shownColumn is a column with the index of its cells and the width that it has at present.
type shownColumn struct {
	Column
	index int
}

// NewTable makes an empty table.
func NewTable(t *Theme, columns ...Column) *Table {
	return &Table{theme: t, columns: columns, selected: -1, rendered: map[int]string{}}
}

// SetRows sets the number of rows and the function that returns one. The selection stays on its
// index, or moves to the last row. Call it again whenever a row changed. A row may have fewer or
// more cells than there are columns.
func (t *Table) SetRows(n int, row func(i int) []Cell) {
	t.n, t.row = max(n, 0), row
	clear(t.rendered)
	if t.selected < 0 {
		t.selected = 0
	}
	t.Select(t.selected)
}

// Resize sets the size, header included.
func (t *Table) Resize(w, h int) {
	if w = max(w, 0); w != t.w {
		t.w = w
		t.layout()
		clear(t.rendered)
	}
	t.h = max(h, 0)
	t.Select(t.selected)
}

// Update handles up, down, k, j, pgup, pgdown, home, end, g and G, and reports whether the key
// was one of them.
func (t *Table) Update(msg tea.Msg) bool {
	k, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return false
	}
	by, ok := movements[k.String()]
	if by.pages != 0 {
		t.scroll(by.pages * max(t.visibleRows(), 1))
	} else if ok {
		t.Select(t.selected + by.lines)
	}
	return ok
}

// Beyond returns where a key would move the selection by one row when there is none: 1 after the
// last row, -1 before the first, and 0 for any other key or place.
func (t *Table) Beyond(k tea.KeyPressMsg) int {
	by := movements[k.String()].lines
	if to := t.selected + by; by*by == 1 && (to < 0 || to >= t.n) {
		return by
	}
	return 0
}

// Keys returns the table's bindings, for the help of its screen.
func (t *Table) Keys() []key.Binding {
	return []key.Binding{
		Bind("↑/↓", "move", "up", "down", "k", "j"),
		Bind("pgup/pgdn", "page", "pgup", "pgdown"),
		Bind("home/end", "first/last row", "home", "end", "g", "G"),
	}
}

// Len returns the number of rows.
func (t *Table) Len() int { return t.n }

// Selected returns the index of the selected row, -1 when there are no rows.
func (t *Table) Selected() int { return t.selected }

// Selected returns which of the rows of a table is selected; ok is false when none is.
func Selected[T any](t *Table, rows []T) (row T, ok bool) {
	if i := t.selected; i >= 0 && i < len(rows) {
		return rows[i], true
	}
	return row, false
}

// Visible returns the first row that is in the window, and the one after the last.
func (t *Table) Visible() (from, to int) { return t.top, min(t.top+t.visibleRows(), t.n) }

// Select moves the selection to row i, or to the nearest row there is, and scrolls only as far as
// needed to show it.
func (t *Table) Select(i int) {
	t.selected = min(max(i, 0), t.n-1) // -1 without rows
	rows := t.visibleRows()
	t.top = min(t.top, t.selected)
	t.top = max(t.top, t.selected-rows+1)
	t.top = max(min(t.top, t.n-rows), 0)
}

// scroll moves window and selection together, so that the selection stays on the same line.
func (t *Table) scroll(by int) {
	t.top = max(min(t.top+by, t.n-t.visibleRows()), 0)
	t.Select(t.selected + by)
}

// visibleRows returns how many rows fit.
func (t *Table) visibleRows() int { return max(t.h-header, 0) }

// View draws the header and the visible rows in exactly the table's height.
func (t *Table) View() string {
	if t.w < 1 || t.h < 1 {
		return ""
	}
	mark := t.theme.Strong.Render(t.theme.Text("›")) // in no colour: each move writes it, over the slowest line too
	var b strings.Builder
	b.WriteString(t.titles)
	for line := range t.visibleRows() {
		b.WriteByte('\n')
		i := t.top + line
		switch {
		case i >= t.n:
			continue
		case i == t.selected:
			b.WriteString(mark)
		default:
			b.WriteByte(' ')
		}
		b.WriteString(t.renderRow(i))
	}
	return b.String()
}

// renderRow returns row i without its mark, from the cache if it is there.
func (t *Table) renderRow(i int) string {
	if s, ok := t.rendered[i]; ok {
		return s
	}
	if len(t.rendered) >= maxRendered {
		clear(t.rendered)
	}
	cells := t.row(i)
	s := t.line(func(c shownColumn) string {
		if c.index >= len(cells) {
			return ""
		}
		return t.theme.Mark(cells[c.index].Tone, cells[c.index].Text)
	})
	t.rendered[i] = s
	return s
}

// line draws one text per column, from the second cell on.
func (t *Table) line(text func(shownColumn) string) string {
	var b strings.Builder
	b.WriteString(blanks(rowMark - 1))
	for n, c := range t.shown {
		if n > 0 {
			b.WriteString(colGap)
		}
		if c.Right {
			b.WriteString(fitRight(text(c), c.Width))
		} else {
			b.WriteString(Fit(text(c), c.Width))
		}
	}
	return cut(b.String(), t.w-1)
}

// layout chooses the columns that fit the table's width, and their widths.
func (t *Table) layout() {
	t.shown = t.shown[:0]
	for i, c := range t.columns {
		c.Width = max(c.Width, 0)
		t.shown = append(t.shown, shownColumn{c, i})
	}
	for t.freeCells() < 0 && t.dropColumn() {
		continue
	}
	t.growColumns(t.freeCells())
	t.titles = cut(" "+t.line(func(c shownColumn) string { return t.theme.Muted.Render(c.Title) }), t.w)
}

// freeCells returns how many cells the shown columns leave free, negative when they need more.
func (t *Table) freeCells() int {
	used := rowMark + len(colGap)*max(len(t.shown)-1, 0)
	for _, c := range t.shown {
		used += c.Width
	}
	return t.w - used
}

// dropColumn removes the shown column with the largest Drop, the rightmost of equals.
func (t *Table) dropColumn() bool {
	worst, at := 0, -1
	for n, c := range t.shown {
		if c.Drop > 0 && c.Drop >= worst {
			worst, at = c.Drop, n
		}
	}
	if at >= 0 {
		t.shown = slices.Delete(t.shown, at, at+1)
	}
	return at >= 0
}

// growColumns shares the free cells among the growing columns.
func (t *Table) growColumns(free int) {
	var takers []*shownColumn
	for n := range t.shown {
		if t.shown[n].Grow {
			takers = append(takers, &t.shown[n])
		}
	}
	free = max(free, 0)
	for n, c := range takers {
		share := free / (len(takers) - n)
		c.Width, free = c.Width+share, free-share
	}
}
