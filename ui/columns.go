package ui

import (
	"slices"
	"strings"
)

// A Column is a column of a [Table]. A wider table never shows less of one: a column is added only
// where every column that is there already has its full width, and the cells that are left are
// shared only when all are there.
type Column struct {
	Title string
	Width int  // cells at least
	Full  int  // cells that hold whole what it usually has, Width if that is more
	Grow  bool // shares the cells that are left
	Right bool // aligned right
	Quiet bool // muted where a cell has no tone, to be read last
	Whole bool // an identifier, which is there whole or not at all
	Drop  int  // columns with the largest are left out first; those with 0 never
}

// full is the width from which on a column hides nothing.
func (c Column) full() int { return max(c.Width, c.Full) }

// A shownColumn is a column with the index of its cells and the width that it has at present.
type shownColumn struct {
	Column
	index int
}

const colGap = "  " // between two columns

// line draws one text per column, behind the mark of the row.
func (t *Table) line(text func(shownColumn) string) string {
	var b strings.Builder
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
	return cut(b.String(), max(t.textWidth()-rowMark, 0))
}

// layout chooses the columns that fit the table's width, and their widths.
func (t *Table) layout() {
	t.shown = t.shown[:0]
	var more []shownColumn // in the order in which they are added
	for i, c := range t.columns {
		c.Width = max(c.Width, 0)
		if s := (shownColumn{c, i}); c.Drop > 0 {
			more = append(more, s)
		} else {
			t.shown = append(t.shown, s)
		}
	}
	slices.SortStableFunc(more, func(a, b shownColumn) int { return a.Drop - b.Drop })
	complete := t.widen(func(c shownColumn) bool { return c.Width < c.full() })
	for complete && len(more) > 0 && t.free() >= more[0].full()+len(colGap) {
		more[0].Width = more[0].full()
		t.shown, more = append(t.shown, more[0]), more[1:]
	}
	slices.SortFunc(t.shown, func(a, b shownColumn) int { return a.index - b.index })
	if complete && len(more) == 0 {
		t.widen(func(c shownColumn) bool { return c.Grow })
	}
	t.titles = blanks(min(rowMark, t.w)) + t.line(func(c shownColumn) string { return t.theme.Muted.Render(c.Title) })
}

// widen gives the free cells to the columns that want one, in turn, and reports whether none wants more.
func (t *Table) widen(wants func(shownColumn) bool) bool {
	for free := t.free(); ; {
		content := true
		for n := range t.shown {
			if !wants(t.shown[n]) {
				continue
			}
			if content = false; free <= 0 {
				return false
			}
			t.shown[n].Width++
			free--
		}
		if content {
			return true
		}
	}
}

// free returns how many cells the shown columns leave free, negative when they need more.
func (t *Table) free() int {
	used := rowMark + len(colGap)*max(len(t.shown)-1, 0)
	for _, c := range t.shown {
		used += c.Width
	}
	return t.textWidth() - used
}
