package ui

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"
)

func texts(lines []string) string {
	for i, l := range lines {
		lines[i] = strings.TrimRight(ansi.Strip(l), " ")
	}
	return strings.Join(lines, "\n")
}

func TestNoTextLosesALetterInJSON(t *testing.T) {
	letters := func(s string) string { return strings.Join(strings.Fields(s), "") }
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[ {\["]{0,6}[a-z":, {}\-/.0-9\\漢]{0,80}\n?[ ]{0,3}[a-z"]{0,30}[:] ?["]?[a-z0-9 \-]{0,60}"?,?`).Draw(t, "text")
		w := rapid.IntRange(-1, 60).Draw(t, "w")
		lines := NewTheme(false).MarkedJSON(text, w, "a")
		for _, l := range lines {
			if n := ansi.StringWidth(l); w > markWidth && n > w {
				t.Fatalf("%d cells in %d: %q", n, w, l)
			}
		}
		if got := texts(NewTheme(false).JSON(text, w)); w > 1 && letters(got) != letters(text) {
			t.Fatalf("%q is drawn %q in %d", text, got, w)
		}
	})
}
