package ui

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// facts are a pane that fills its room.
func facts(row, w, h int) (lines []string) {
	for n := range h + 3 {
		lines = append(lines, fmt.Sprintf("fact %d of row %d %s", n, row, strings.Repeat("x", w)))
	}
	return lines
}

func TestPanesStayWithinTheirSize(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		theme := NewTheme(false)
		table := newTable(100, 0, 0)
		panes := NewPanes(theme, table)
		w, h := rapid.IntRange(-1, 260).Draw(t, "w"), rapid.IntRange(-1, 70).Draw(t, "h")
		panes.Below(rapid.IntRange(0, 9).Draw(t, "below"))
		panes.Resize(w, h)
		table.Resize(panes.ListSize())
		table.SetRows(rapid.IntRange(0, 99).Draw(t, "rows"), payment)
		fits(t, panes.View(table.View(), facts), w, h)
		lw, lh := panes.ListSize()
		pw, ph := panes.PaneSize()
		if beside := panes.Beside(); beside && (lw < leastList || lw > mostList || pw < 27 || lw+3+pw != w) || !beside && (lw != max(w, 0) || lh+ph != max(h, 0)) {
			t.Fatalf("a list of %d×%d and a pane of %d×%d in %d×%d", lw, lh, pw, ph, w, h)
		}
		fits(t, strings.Join(theme.Invite("Nothing has been sent from here yet.", Bind("c", "collect a payment"), w, h), "\n"), w, h)
	})
}
