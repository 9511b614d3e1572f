//go:build !windows

package terminal

import (
	"strings"
	"testing"
	"unicode"

	"github.com/charmbracelet/x/ansi"
)

func TestANarrowCharacterTakesOneCellHoweverItIsMeasured(t *testing.T) {
	n := 0
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if !narrowRune(r) {
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
		if narrow("Ada " + s) {
			t.Errorf("%+q is narrow", s)
		}
	}
	if !narrow("\x1b[1mZoë\x1b[m ── ✓ paid 12.50 …") {
		t.Error("a line of the console is not narrow")
	}
}

func BenchmarkFirstFrame(b *testing.B) {
	const w, h = 120, 40
	line := "\x1b[1m ✓ SUCCESSFUL\x1b[m  12.50 GBP  Zoë • 4242 …  " + strings.Repeat("─", 80)
	content := strings.Repeat(line+"\n", h-1) + line
	for b.Loop() {
		c := &canvas{}
		c.take()
		c.frame(picture{content: content}, modes{w: w, h: h})
	}
}
