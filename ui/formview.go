package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

const (
	labelWidth    = 18
	boxWidth      = 64 // of a value at most, however wide the form
	maxErrorLines = 2
)

// A row is one line of a form before it is drawn.
type row struct {
	field  int
	kind   rowKind
	text   string
	indent int // of an error
}

type rowKind uint8

const (
	rowField rowKind = iota
	rowHelp
	rowError
	rowErrorMore
)

// columns are the widths of a form's columns.
type columns struct {
	label int // the label and the blank after it
	box   int // the value without its brackets
	edge  int // column of the arrow for more above or below
}

func columnsFor(w int) columns {
	label := min(labelWidth, w/3)
	// Six cells remain for the mark and a blank, the brackets, and a blank and the arrow.
	return columns{label: label, box: max(min(w-label-6, boxWidth), 0), edge: w - 1}
}

// View draws the form in at most w×h cells, scrolled to the focused field. An arrow at the right
// edge shows where there is more above or below.
func (f *Form) View(w, h int) (string, *tea.Cursor) {
	if w < 1 || h < 1 {
		return "", nil
	}
	r := columnsFor(w)
	rows := f.rows(w)
	from, to := f.visible(rows, h)
	lines := make([]string, 0, to-from)
	var cursor *tea.Cursor
	for y, row := range rows[from:to] {
		s, x := f.draw(row, r, w)
		if x >= 0 && x < w {
			cursor = steady(x, y)
		}
		if y == 0 && from > 0 {
			s = f.more(s, "↑", r)
		}
		if y == to-from-1 && to < len(rows) {
			s = f.more(s, "↓", r)
		}
		lines = append(lines, s)
	}
	return Lines(w, h, lines...), cursor
}

// steady returns a cursor that does not blink.
func steady(x, y int) *tea.Cursor {
	c := tea.NewCursor(x, y)
	c.Blink = false
	return c
}

func (f *Form) more(s, arrow string, r columns) string {
	return Fit(s, r.edge) + f.theme.Muted.Render(arrow)
}

// rows lists the lines of the form before they are drawn.
func (f *Form) rows(w int) []row {
	rows := make([]row, 0, 2*len(f.fields))
	for i, s := range f.fields {
		rows = append(rows, row{field: i})
		if objection := s.message(); objection != "" {
			rows = append(rows, errorRows(i, objection, w)...)
		} else if i == f.current {
			rows = append(rows, row{field: i, kind: rowHelp, text: s.Help()})
		}
	}
	return rows
}

// errorRows places an error under the value, where the help was, and further left if it does not
// fit on one line there.
func errorRows(slot int, text string, w int) []row {
	text = strings.Join(strings.Fields(text), " ")
	indent := columnsFor(w).label + 3
	if ansi.StringWidth(text) > w-indent-4 {
		indent = errorIndent(w)
	}
	lines := Wrap(text, max(w-indent-4, 1))
	if len(lines) > maxErrorLines {
		rest := strings.Join(lines[maxErrorLines-1:], " ")
		lines = append(lines[:maxErrorLines-1], rest) // is cut when drawn
	}
	rows := make([]row, len(lines))
	for i, line := range lines {
		rows[i] = row{slot, rowError, line, indent}
		if i > 0 {
			rows[i].kind = rowErrorMore
		}
	}
	return rows
}

// errorIndent leaves most of a narrow form to the text.
func errorIndent(w int) int { return min(4, w/8) }

// visible returns the range of rows to show, with the focused field and the lines under it near
// the middle.
func (f *Form) visible(rows []row, h int) (from, to int) {
	if len(rows) <= h {
		return 0, len(rows)
	}
	first, last := 0, 0
	for i, row := range rows {
		if row.field == f.current {
			if row.kind == rowField {
				first = i
			}
			last = i
		}
	}
	from = min((first+last+1)/2-h/2, first) // the field first, if its help does not fit
	from = min(max(from, 0), len(rows)-h)
	return from, from + h
}

func (f *Form) draw(row row, r columns, w int) (string, int) {
	switch row.kind {
	case rowHelp:
		return f.theme.Muted.Render(f.helpLine(row.text, r, w)), -1
	case rowError:
		return blanks(row.indent) + f.theme.Error.Render(cut("! "+row.text, w-row.indent-2)), -1
	case rowErrorMore:
		return blanks(row.indent+2) + f.theme.Error.Render(cut(row.text, w-row.indent-4)), -1
	}
	return f.drawField(row.field, r)
}

// helpLine puts the help under the value, or as far left as it needs.
func (f *Form) helpLine(text string, r columns, w int) string {
	room := w - 2
	indent := max(min(r.label+3, room-ansi.StringWidth(text)), errorIndent(w))
	return blanks(indent) + cut(text, room-indent)
}

// drawField draws "› label [value]"; the mark and the brackets show the focus without colour.
func (f *Form) drawField(i int, r columns) (string, int) {
	s := f.fields[i]
	value, x := s.View(r.box)
	if i != f.current {
		return "  " + f.theme.Label.Render(Fit(s.Label(), r.label)) + " " + value, -1
	}
	line := f.theme.Accent.Render("›") + " " + f.theme.Strong.Render(Fit(s.Label(), r.label)) +
		f.theme.Accent.Render("[") + Fit(value, r.box) + f.theme.Accent.Render("]")
	if x >= 0 {
		x += r.label + 3
	}
	return line, x
}
