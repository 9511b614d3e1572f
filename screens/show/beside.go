package show

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"paydesk/ui"
)

// Beside is the least width of a body in which what will be sent stands beside
// the form (a window of 100 columns), and Pane is the width of that pane.
const (
	Beside = 98
	Pane   = 44
)

// SideBySide puts right, when there is any, behind left, which gets w cells.
func SideBySide(w int, left, right []string) []string {
	if len(right) == 0 {
		return left
	}
	lines := make([]string, 0, max(len(left), len(right)))
	for i := range max(len(left), len(right)) {
		var l, r string
		if i < len(left) {
			l = left[i]
		}
		if i < len(right) {
			r = right[i]
		}
		lines = append(lines, ui.Fit(l, w)+"  "+r)
	}
	return lines
}

// Code breaks text to lines of w cells and keeps its blanks.
func Code(text string, w int) []string {
	return strings.Split(ansi.Hardwrap(text, max(w, 1), true), "\n")
}
