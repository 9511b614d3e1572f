package present

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"paydesk/ui"
)

// A body of at least WidePreview cells, which is a window of 100 columns, has room for a preview
// of PreviewWidth cells beside the form.
const (
	WidePreview  = 98
	PreviewWidth = 44
)

// Preview is the JSON of a request under a heading, in PreviewWidth cells.
func Preview(t *ui.Theme, json string) []string {
	return append([]string{t.Strong.Render("What will be sent"), ""}, WrapCode(json, PreviewWidth)...)
}

// SideBySide puts right, if there is any, beside left, which gets w cells.
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
		lines = append(lines, ui.Fit(stableWidth(l), w)+"  "+r)
	}
	return lines
}

// stableWidth spells out the characters whose width terminals disagree on, by rune or by cluster:
// they would shift whatever stands to their right.
func stableWidth(s string) string {
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

// WrapCode breaks text at w cells and keeps its blanks.
func WrapCode(text string, w int) []string {
	return strings.Split(ansi.Hardwrap(text, max(w, 1), true), "\n")
}
