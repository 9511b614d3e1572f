package ui

import (
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
