package present

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"paydesk/ui"
)

// Beside is the least width of a body in which what will be sent stands beside
// the form (a window of 100 columns), and Pane is the width of that pane.
const (
	WidePreview  = 98
	PreviewWidth = 44
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
		lines = append(lines, ui.Fit(certain(l), w)+"  "+r)
	}
	return lines
}

// certain writes out the characters whose cells terminals count in two ways, rune by rune or
// by cluster, so that nothing moves that stands to the right of them.
func certain(s string) string {
	if ansi.StringWidth(s) == ansi.StringWidthWc(s) {
		return s
	}
	var b strings.Builder
	for s = strings.TrimRight(s, " "); s != ""; {
		cluster, w := ansi.FirstGraphemeCluster(s, ansi.GraphemeWidth)
		s = s[len(cluster):]
		if w == ansi.StringWidthWc(cluster) || cluster == "\x1b" {
			b.WriteString(cluster)
			continue
		}
		for _, r := range cluster {
			fmt.Fprintf(&b, "<U+%04X>", r)
		}
	}
	return b.String()
}

// Code breaks text to lines of w cells and keeps its blanks.
func Code(text string, w int) []string {
	return strings.Split(ansi.Hardwrap(text, max(w, 1), true), "\n")
}
