package ui

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"
)

func TestABarHasItsPartsAndWhatIsLeftOfTheWhole(t *testing.T) {
	day := []Part{{ToneGood, 5}, {ToneBad, 1}, {ToneWait, 1}}
	for _, c := range []struct {
		name, bar, ascii string
		w, whole         int
		parts            []Part
	}{
		{"a share", "██████░░░░░░", "######......", 12, 10, []Part{{ToneGood, 5}}},
		{"parts of all", "███████████▓▓▒▒", "###########xx==", 15, 7, day},
		{"what is rare is seen", "█████████?", "#########?", 10, 1000, []Part{{ToneGood, 999}, {ToneUnknown, 1}}},
		{"each tone has a glyph", "█▓▒▒≠?░", "#x==!?.", 7, 7, []Part{{ToneGood, 1}, {ToneBad, 1}, {ToneWait, 1}, {ToneAct, 1}, {ToneMismatch, 1}, {ToneUnknown, 1}}},
		{"nothing yet", "░░░░", "....", 4, 0, nil},
		{"more than the whole", "████", "####", 4, 2, []Part{{ToneGood, 3}}},
		{"less cells than parts", "█▒", "#=", 2, 0, []Part{{ToneGood, 5}, {ToneBad, 1}, {ToneWait, 3}}},
		{"no cells", "", "", 0, 7, day},
	} {
		for theme, want := range map[*Theme]string{NewTheme(false): c.bar, NewTheme(true): c.ascii} {
			if got := ansi.Strip(theme.Text(theme.Bar(c.w, c.whole, c.parts...))); got != want {
				t.Errorf("%s: %q, not %q", c.name, got, want)
			}
		}
	}
}

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

// Without colours the parts differ by their glyphs alone.
func TestABarInHighContrastHasNoColours(t *testing.T) {
	if bar := NewTheme(false).HighContrast().Bar(9, 3, Part{ToneGood, 1}, Part{ToneBad, 1}); strings.Contains(bar, "38;5") {
		t.Errorf("%q", bar)
	}
}

func TestEachOfManySmallPartsHasACell(t *testing.T) {
	one := func(tone Tone) Part { return Part{tone, 1} }
	if bar := ansi.Strip(NewTheme(false).Bar(5, 7, one(ToneGood), one(ToneBad), one(ToneWait), one(ToneMismatch), one(ToneUnknown))); bar != "█▓▒≠?" {
		t.Errorf("%q", bar)
	}
}
