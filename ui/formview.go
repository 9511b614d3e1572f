package ui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
)

const (
	labelWidth    = 18
	boxWidth      = 64 // of a value at most, however wide the form
	maxErrorLines = 2
)

// A row is one drawn line of a form.
type row struct {
	field int // whose line it is
	text  string
	x     int // the cursor's cell, -1 for none
}

// columns returns the widths of the label, with the blank after it, and of the value without its
// brackets.
func columns(w int) (label, box int) {
	label = min(labelWidth, w/3)
	// Six cells remain for the mark and a blank, the brackets, and a blank and the arrow.
	return label, max(min(w-label-6, boxWidth), 0)
}

// View draws the form in at most w×h cells, scrolled to the focused field. An arrow at the right
// edge shows where there is more above or below.
func (f *Form) View(w, h int) (string, *tea.Cursor) {
	if w < 1 || h < 1 {
		return "", nil
	}
	rows := f.rows(w)
	from, to := f.visible(rows, h)
	lines := make([]string, 0, to-from)
	var cursor *tea.Cursor
	for y, row := range rows[from:to] {
		if row.x >= 0 && row.x < w {
			cursor = steady(row.x, y)
		}
		lines = append(lines, row.text)
	}
	more := func(y int, arrow string) { lines[y] = Fit(lines[y], w-1) + f.theme.Muted.Render(arrow) }
	if from > 0 {
		more(0, "↑")
	}
	if to < len(rows) {
		more(len(lines)-1, "↓")
	}
	return Lines(w, h, lines...), cursor
}

// steady returns a cursor that does not blink.
func steady(x, y int) *tea.Cursor {
	c := tea.NewCursor(x, y)
	c.Blink = false
	return c
}

// rows draws the lines of the form.
func (f *Form) rows(w int) []row {
	rows := make([]row, 0, 2*len(f.fields))
	for i, s := range f.fields {
		line, x := f.drawField(i, w)
		rows = append(rows, row{i, line, x})
		var under []string
		if objection := s.message(); objection != "" {
			under = f.drawError(objection, w)
		} else if i == f.current {
			under = []string{f.drawHelp(s.Help(), w)}
		}
		for _, line := range under {
			rows = append(rows, row{i, line, -1})
		}
	}
	return rows
}

// drawError puts an error under the value, where the help was, and further left if it does not
// fit on one line there.
func (f *Form) drawError(text string, w int) []string {
	text = strings.Join(strings.Fields(text), " ")
	label, _ := columns(w)
	indent := label + 3
	if width(text) > w-indent-4 {
		indent = errorIndent(w)
	}
	lines := Wrap(text, max(w-indent-4, 1))
	if len(lines) > maxErrorLines {
		lines = append(lines[:maxErrorLines-1], strings.Join(lines[maxErrorLines-1:], " ")) // cut below
	}
	sign := "! "
	for i, line := range lines {
		lines[i] = blanks(indent+2-len(sign)) + f.theme.Error.Render(cut(sign+line, w-indent-4+len(sign)))
		sign = ""
	}
	return lines
}

// errorIndent leaves most of a narrow form to the text.
func errorIndent(w int) int { return min(4, w/8) }

// visible returns the range of rows to show, with the focused field and the lines under it near
// the middle.
func (f *Form) visible(rows []row, h int) (from, to int) {
	if len(rows) <= h {
		return 0, len(rows)
	}
	current := func(r row) bool { return r.field == f.current }
	first := max(slices.IndexFunc(rows, current), 0)
	last := first
	for last+1 < len(rows) && current(rows[last+1]) {
		last++
	}
	from = min((first+last+1)/2-h/2, first) // the field first, if its help does not fit
	from = min(max(from, 0), len(rows)-h)
	return from, from + h
}

// drawHelp puts the help under the value, or as far left as it needs.
func (f *Form) drawHelp(text string, w int) string {
	label, _ := columns(w)
	indent := max(min(label+3, w-2-width(text)), errorIndent(w))
	return f.theme.Muted.Render(blanks(indent) + cut(text, w-2-indent))
}

// drawField draws "› label [value]"; the mark and the brackets show the focus without colour.
func (f *Form) drawField(i, w int) (string, int) {
	s := f.fields[i]
	label, box := columns(w)
	value, x := s.View(box)
	if i != f.current {
		return "  " + f.theme.Label.Render(Fit(s.Label(), label)) + " " + value, -1
	}
	line := f.theme.Accent.Render("›") + " " + f.theme.Strong.Render(Fit(s.Label(), label)) +
		f.theme.Accent.Render("[") + Fit(value, box) + f.theme.Accent.Render("]")
	if x >= 0 {
		x += label + 3
	}
	return line, x
}
