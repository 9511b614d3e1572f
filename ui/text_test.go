package ui

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"
)

func TestWrapLosesNoWordAndKeepsTheWidth(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringOf(rapid.SampledFrom([]rune("ab  é漢-\n"))).Draw(t, "text")
		w := rapid.IntRange(2, 12).Draw(t, "width")
		lines := Wrap(s, w)
		for _, line := range lines {
			if ansi.StringWidth(line) > w {
				t.Fatalf("%q is wider than %d", line, w)
			}
		}
		letters := func(s string) string { return strings.Join(strings.Fields(s), "") }
		if letters(s) != letters(strings.Join(lines, " ")) {
			t.Fatalf("%q became %q", s, lines)
		}
	})
}

func TestCellsAreCountedAsTheLibraryDoes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		part := rapid.SampledFrom([]string{
			"a", "12.50 GBP", "─", "▸", "é", "e\u0301", "日本", "👍🏽", "❤\ufe0f", "\u200d", "\x00", "\x7f", "\x80", "\x1b",
			"\x1b[1m", "\x1b[m", "\x1b[38;5;243m", "\x1b[4:3m", "\x1b[2K", "\x1b[", "\x1b]8;;https://x.example\x1b\\",
		})
		s := strings.Join(rapid.SliceOfN(part, 0, 8).Draw(t, "parts"), "")
		if got, want := width(s), ansi.StringWidth(s); got != want {
			t.Errorf("%q takes %d cells, not %d", s, want, got)
		}
	})
}
