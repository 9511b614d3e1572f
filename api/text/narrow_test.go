package text

import (
	"testing"
	"unicode"

	"github.com/charmbracelet/x/ansi"
)

func TestANarrowCharacterTakesOneCellHoweverItIsMeasured(t *testing.T) {
	n := 0
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if !NarrowRune(r) {
			continue
		}
		n++
		s := string(r)
		if ansi.StringWidth(s) != 1 || ansi.StringWidthWc(s) != 1 {
			t.Errorf("%U takes %d or %d cells", r, ansi.StringWidth(s), ansi.StringWidthWc(s))
		}
		for _, beside := range []string{"a" + s, s + "a", s + s, s + "─", "─" + s} {
			if ansi.StringWidth(beside) != 2 || ansi.StringWidthWc(beside) != 2 {
				t.Errorf("%+q does not take two cells", beside)
			}
			if first, _ := ansi.FirstGraphemeCluster(beside, ansi.GraphemeWidth); len(first) == len(beside) {
				t.Errorf("%+q is one character", beside)
			}
		}
	}
	if n == 0 {
		t.Error("no character is narrow")
	}
}

func TestWhatTerminalsMeasureDifferentlyIsNotNarrow(t *testing.T) {
	for _, s := range []string{"e\u0301", "日本", "👍🏽", "❤\ufe0f", "©\ufe0f", "\u200b", "क्ष", "\u00ad"} {
		if Narrow("Ada " + s) {
			t.Errorf("%+q is narrow", s)
		}
	}
	for _, s := range []string{"\x1b[1mZoë\x1b[m ── ✓ paid 12.50 …", " paydesk ▸ Home  ▐TEST▌", "─ ▪ 1 Home ─ ● Status ─ ○ Review ▾", "Ẹniọlá"} {
		if !Narrow(s) {
			t.Errorf("%q, a line of the console, is not narrow", s)
		}
	}
}
