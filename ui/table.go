package ui

import (
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

// A Cell is a text and its meaning.
type Cell struct {
	Text  string
	Tone  Tone // other than ToneNone, its glyph is drawn before the text
	Wide  bool // it is the only one of its row, and takes the place of all columns
	Quiet bool // muted: it says why the row cannot be chosen
}

const (
	rowMark     = 2     // cells before a row, for the mark of the selected one and a blank: the painter also writes the cell after a changed one
	barRoom     = 2     // cells at the right edge: the scroll bar, and a blank before it
	maxRendered = 4_096 // rows in the cache
	header      = 1     // lines
)

// A Table shows a window of rows, and a scroll bar at its right edge where there are more. Only
// visible rows are rendered, each once until the rows or the width change. The selected row has a
// mark in front and keeps its colours, so that moving the selection sends only a few bytes.
type Table struct {
	theme    *Theme
	columns  []Column
	w, h     int
	n        int // rows
	row      func(i int) []Cell
	group    func(i int) (title, note string) // nil without groups
	same     func(i int) bool                 // a row is in the group of the one before it
	apart    int                              // blank lines above a heading
	blurred  bool                             // the mark is elsewhere
	whole    int                              // rows of the whole, 0 where these are all
	changes  int                              // counts the calls of SetRows
	selected int                              // -1 when n is 0
	top      int                              // the first row in the window

	shown    []shownColumn  // those that fit
	rendered map[int]string // rows without their mark, by index
	titles   string
}

// NewTable makes an empty table.
func NewTable(t *Theme, columns ...Column) *Table {
	return &Table{theme: t, columns: columns, selected: -1, rendered: map[int]string{}}
}

// SetColumns changes the columns.
func (t *Table) SetColumns(columns ...Column) {
	t.columns = columns
	t.layout()
	clear(t.rendered)
}

// SetRows sets the number of rows and the function that returns one. The selection stays on its
// index, or moves to the last row. Call it again whenever a row changed. A row may have fewer or
// more cells than there are columns.
func (t *Table) SetRows(n int, row func(i int) []Cell) {
	t.n, t.row = max(n, 0), row
	t.changes++
	clear(t.rendered)
	if t.selected < 0 {
		t.selected = 0
	}
	t.Select(t.selected)
}

// Extend adds rows behind those that there are, which stay as they are drawn.
func (t *Table) Extend(n int) {
	if n < t.n {
		return
	}
	t.n = n
	t.Select(t.selected)
}

// Grouped puts the rows into groups, each under a rule with its title and a note, such as the day of those rows. The rule
// of the first visible row is in place of the titles of the columns, so that its group can be read wherever the list is. same
// reports at once that a row is in the group of the one before it: most rows are, and are not asked for a title.
func (t *Table) Grouped(group func(i int) (title, note string), same func(i int) bool) {
	t.group, t.same = group, same
	t.Select(t.selected)
}

// Apart puts a blank line above each heading but the first, or none: for where all rows have room with them.
func (t *Table) Apart(blank bool) {
	if t.apart = 0; blank {
		t.apart = 1
	}
}

// Blur takes the mark away, or gives it back: it is somewhere else on the screen meanwhile. The selection stays.
func (t *Table) Blur(away bool) { t.blurred = away }

// Within makes the scroll bar show the rows as the first of so many in all.
func (t *Table) Within(whole int) { t.whole = whole }

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
		t.scroll(by.pages * max(t.pageRows(), 1))
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
	if t.n == 0 { // nothing to move to
		return nil
	}
	page := Bind("pgup/pgdn", "page", "pgup", "pgdown")
	page.SetEnabled(t.pageRows() < t.n)
	return []key.Binding{
		Bind("↑/↓", "move", "up", "down", "k", "j"),
		page,
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

// Top is the first row that is in the window.
func (t *Table) Top() int { return t.top }

// Visible returns the first row that is in the window, and the one after the last.
func (t *Table) Visible() (from, to int) {
	to = t.top
	for used := 0; to < t.n; to++ {
		if used += t.linesAt(to, t.top); used > t.room() {
			break
		}
	}
	return t.top, to
}

// Select moves the selection to row i, or to the nearest row there is, and scrolls only as far as
// needed to show it.
func (t *Table) Select(i int) {
	t.selected = min(max(i, 0), t.n-1) // -1 without rows
	t.top = min(t.top, t.selected)
	t.top = max(t.top, t.topFor(t.selected))
	t.top = max(min(t.top, t.topFor(t.n-1)), 0)
}

// Centre scrolls so that the selection is in the middle of the window, or as near to it as the rows allow.
func (t *Table) Centre() {
	t.top = t.selected - t.pageRows()/2
	t.Select(t.selected)
}

// Carry moves the selection to row i and the window with it, so that the row stays on its line.
func (t *Table) Carry(i int) { t.scroll(i - t.selected) }

// scroll moves window and selection together, so that the selection stays on the same line.
func (t *Table) scroll(by int) {
	t.top = max(min(t.top+by, t.topFor(t.n-1)), 0)
	t.Select(t.selected + by)
}

// pageRows returns how many rows are in the window.
func (t *Table) pageRows() int {
	from, to := t.Visible()
	return to - from
}

// topFor returns the lowest first row with which row i is in the window.
func (t *Table) topFor(i int) int {
	top := i
	for below := 0; top > 0; top-- { // lines of the rows below the first
		below += t.linesAt(top, 0)
		if below+t.linesAt(top-1, top-1) > t.room() {
			break
		}
	}
	return top
}

// room returns how many lines there are for rows and their headings.
func (t *Table) room() int { return max(t.h-header, 0) }

// linesAt returns how many lines a row takes with its heading, where top is the first row. In a single line the row stays.
func (t *Table) linesAt(i, top int) int {
	if t.isHeaded(i, top) {
		return 2 + t.apart
	}
	return 1
}

// isHeaded reports whether there is a line above a row.
func (t *Table) isHeaded(i, top int) bool {
	switch {
	case i < 0 || i >= t.n || t.room() < 2 || t.group == nil:
		return false
	case i <= top || t.same(i):
		return false
	}
	was, _ := t.group(i - 1)
	title, _ := t.group(i)
	return title != was
}

// headingOf returns the line of w cells above a row, "" where there is none.
func (t *Table) headingOf(i, top, w int) string {
	if !t.isHeaded(i, top) {
		return ""
	}
	title, note := t.group(i)
	return t.theme.Rule(title, note, w)
}

// titleLine is the line above the first row, of w cells where it is a rule.
func (t *Table) titleLine(w int) string {
	if t.group == nil || t.n == 0 {
		return t.titles
	}
	title, note := t.group(t.top)
	return t.theme.Rule(title, note, w)
}

// textWidth is the width of a row without the scroll bar.
func (t *Table) textWidth() int { return max(t.w-barRoom, 0) }

// View draws the header, the visible rows with their headings, and the scroll bar, in exactly the
// table's height.
func (t *Table) View() string {
	if t.w < 1 || t.h < 1 {
		return ""
	}
	mark, none := cut(t.theme.RowMark()+blanks(rowMark-1), t.w), blanks(min(rowMark, t.w))
	lines := make([]string, 0, t.h)
	from, to := t.Visible()
	rule := t.w // ends where other rules on the screen do, unless the scroll bar is there
	if to-from < max(t.whole, t.n) {
		rule = t.textWidth()
	}
	lines = append(lines, t.titleLine(rule))
	if from == to && to < t.n && t.room() > 0 {
		to++
	}
	for i := from; i < to; i++ {
		if h := t.headingOf(i, from, rule); h != "" {
			lines = append(padded(lines, len(lines)+t.apart), h)
		}
		if i == t.selected && !t.blurred {
			lines = append(lines, mark+t.renderRow(i))
		} else {
			lines = append(lines, none+t.renderRow(i))
		}
	}
	lines = padded(lines, t.h)
	t.drawBar(lines[header:], from, to)
	return strings.Join(lines, "\n")
}

// drawBar adds the scroll bar to lines, unless all rows are visible.
func (t *Table) drawBar(lines []string, from, to int) {
	whole := max(t.whole, t.n)
	if t.n == 0 || to-from >= whole || t.w <= barRoom {
		return
	}
	thumbFrom, thumbTo := thumb(len(lines), whole, from, to)
	for i := range lines {
		cell := barTrack
		if i >= thumbFrom && i < thumbTo {
			cell = barThumb
		}
		lines[i] = Fit(lines[i], t.w-1) + cell
	}
}

// thumb returns which of some lines stand for the part of a whole that is visible: the first line only where
// the part is at the beginning, the last only where it is at the end.
func thumb(lines, whole, from, to int) (first, end int) {
	if lines < 1 || whole < 1 {
		return 0, 0
	}
	size := min(max(lines*(to-from)/whole, 1), lines)
	free, hidden := lines-size, whole-(to-from)
	first = free * from / max(hidden, 1)
	if from > 0 && first == 0 && free > 1 {
		first = 1
	}
	if to < whole && first == free && free > 1 {
		first--
	}
	return first, first + size
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
	if len(cells) == 1 && cells[0].Wide {
		t.rendered[i] = cut(t.theme.Mark(cells[0].Tone, StableWidth(cells[0].Text)), max(t.textWidth()-rowMark, 0))
		return t.rendered[i]
	}
	s := t.line(func(c shownColumn) string {
		if c.index >= len(cells) {
			return ""
		}
		cell := cells[c.index]
		if c.Whole && width(cell.Text) > c.Width {
			return ""
		}
		if (c.Quiet || cell.Quiet) && cell.Tone == ToneNone {
			return t.theme.Muted.Render(StableWidth(cell.Text))
		}
		return t.theme.Mark(cell.Tone, StableWidth(cell.Text))
	})
	t.rendered[i] = s
	return s
}
