package ui

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"
)

// Whatever is counted, a bar has its width, and a part is there exactly where it is not 0.
func TestABarFillsItsWidthAndLeavesNothingOut(t *testing.T) {
	tones := []Tone{ToneGood, ToneBad, ToneWait, ToneMismatch, ToneUnknown}
	rapid.Check(t, func(t *rapid.T) {
		w := rapid.IntRange(len(tones), 200).Draw(t, "w")
		var parts []Part
		for _, tone := range tones {
			parts = append(parts, Part{tone, rapid.OneOf(rapid.Just(0), rapid.IntRange(0, 3), rapid.IntRange(0, 1_000_000)).Draw(t, "n")})
		}
		bar := ansi.Strip(NewTheme(false).Bar(w, rapid.IntRange(0, 2_000_000).Draw(t, "whole"), parts...))
		if ansi.StringWidth(bar) != w {
			t.Fatalf("%q has %d cells, not %d", bar, ansi.StringWidth(bar), w)
		}
		for _, p := range parts {
			if strings.Contains(bar, barGlyphs[p.Tone].glyph) != (p.N > 0) {
				t.Fatalf("%q with %v", bar, parts)
			}
		}
	})
}
