package present

import (
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"paydesk/ui"
)

// SideBySide puts right, if there is any, beside left, which gets w cells.
func SideBySide(w int, left, right []string) []string {
	if len(right) == 0 {
		return left
	}
	column := make([]string, max(len(left), 1))
	for i := range column {
		line := ""
		if i < len(left) {
			line = left[i]
		}
		column[i] = ui.Fit(ui.StableWidth(line), w) + "  "
	}
	return strings.Split(lipgloss.JoinHorizontal(lipgloss.Top, strings.Join(column, "\n"), strings.Join(right, "\n")), "\n")
}

// WrapCode breaks text at w cells and keeps its blanks.
func WrapCode(text string, w int) []string {
	return strings.Split(ansi.Hardwrap(text, max(w, 1), true), "\n")
}
