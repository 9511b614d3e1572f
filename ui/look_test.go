package ui

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/mattn/go-runewidth"
)

var tones = []Tone{ToneNone, ToneGood, ToneBad, ToneWait, ToneAct, ToneMismatch, ToneUnknown}

func TestEveryToneHasAGlyphOfItsOwnOneCellWide(t *testing.T) {
	for _, theme := range []*Theme{NewTheme(false), NewTheme(true)} {
		seen := map[string]Tone{}
		for _, tone := range tones {
			g := ansi.Strip(theme.glyph(tone))
			if other, ok := seen[g]; ok {
				t.Errorf("tones %d and %d share the glyph %q", tone, other, g)
			}
			seen[g] = tone
			for name, w := range map[string]int{"x/ansi": ansi.StringWidth(g), "wcwidth": ansi.StringWidthWc(g), "go-runewidth": runewidth.StringWidth(g)} {
				if w != 1 {
					t.Errorf("%q is %d cells wide by %s", g, w, name)
				}
			}
			if theme.ASCII && !ascii(g) {
				t.Errorf("%q is not ASCII", g)
			}
		}
	}
}

func TestAnUndefinedToneIsUnknownAndNeverGood(t *testing.T) {
	theme := NewTheme(false)
	if got := theme.Mark(Tone(200), "PAID"); got != theme.Mark(ToneUnknown, "PAID") {
		t.Errorf("it is drawn %q", got)
	}
}

func TestEveryGlyphHasAnASCIITwinOfItsWidth(t *testing.T) {
	for _, g := range "…•·–—×‘’“”✓✗◌▲›‹←→↑↓●○■□─│┌┐└┘├┤┬┴┼╭╮╰╯▌▐▪▸▾█▓▒░" {
		twin := NewTheme(true).Text(string(g))
		if !ascii(twin) || len(twin) != ansi.StringWidth(string(g)) {
			t.Errorf("%q has the twin %q", g, twin)
		}
		if NewTheme(false).Text(string(g)) != string(g) {
			t.Errorf("%q is replaced where it can be drawn", g)
		}
	}
}

func ascii(s string) bool {
	for _, r := range ansi.Strip(s) {
		if r > '~' {
			return false
		}
	}
	return true
}

func TestTheStepperNarrowsToTheCurrentWord(t *testing.T) {
	steps := []Step{{"Amount", true}, {"Channel", false}, {"Customer", false}}
	for _, c := range []struct {
		w    int
		want string
	}{
		{80, "✓ Amount ── ● Channel ── ○ Customer"},
		{35, "✓ Amount ── ● Channel ── ○ Customer"},
		{34, "✓ Amount ─ ● Channel ─ ○ Customer"},
		{33, "✓ Amount ─ ● Channel ─ ○ Customer"},
		{32, "✓ Amount ● Channel ○ Customer"},
		{28, "✓ ── ● Channel ── ○"},
		{18, "● Channel, step 2…"},
		{8, "● Chann…"},
		{0, ""}, {-1, ""},
	} {
		if got := ansi.Strip(NewTheme(false).Stepper(c.w, 1, steps...)); got != c.want {
			t.Errorf("at %d cells: %q, not %q", c.w, got, c.want)
		}
	}
	if got := ansi.Strip(NewTheme(true).Stepper(80, 2, steps...)); got != "+ Amount -- o Channel -- * Customer" {
		t.Errorf("in ASCII: %q", got)
	}
	for _, current := range []int{-1, 3} {
		if got := ansi.Strip(NewTheme(false).Stepper(80, current, steps...)); strings.Contains(got, "●") {
			t.Errorf("step %d is current: %q", current, got)
		}
	}
}
