package ui

import (
	"image/color"
	"math"
	"testing"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
)

// luminance returns the relative luminance of WCAG 2, from 0 to 1.
func luminance(c color.Color) float64 {
	r, g, b, _ := c.RGBA()
	part := func(v uint32) float64 {
		f := float64(v) / 0xffff
		if f <= 0.04045 {
			return f / 12.92
		}
		return math.Pow((f+0.055)/1.055, 2.4)
	}
	return 0.2126*part(r) + 0.7152*part(g) + 0.0722*part(b)
}

// contrast is WCAG 2's, from 1 to 21.
func contrast(c, on color.Color) float64 {
	a, b := luminance(c), luminance(on)
	return (max(a, b) + 0.05) / (min(a, b) + 0.05)
}

// The sixteen colours as terminals mix them when nobody changed them: black to white, then the bright ones.
var mixes = map[string][16]uint32{
	"xterm": {
		0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd, 0x00cdcd, 0xe5e5e5,
		0x7f7f7f, 0xff0000, 0x00ff00, 0xffff00, 0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff,
	},
	"VGA": {
		0x000000, 0xaa0000, 0x00aa00, 0xaa5500, 0x0000aa, 0xaa00aa, 0x00aaaa, 0xaaaaaa,
		0x555555, 0xff5555, 0x55ff55, 0xffff55, 0x5555ff, 0xff55ff, 0x55ffff, 0xffffff,
	},
	"Windows": {
		0x0c0c0c, 0xc50f1f, 0x13a10e, 0xc19c00, 0x0037da, 0x881798, 0x3a96dd, 0xcccccc,
		0x767676, 0xe74856, 0x16c60c, 0xf9f1a5, 0x3b78ff, 0xb4009e, 0x61d6d6, 0xf2f2f2,
	},
}

// mixed is a colour as a terminal shows it.
func mixed(c color.Color, mix [16]uint32) color.Color {
	basic, ok := c.(ansi.BasicColor)
	if !ok {
		return c
	}
	rgb := mix[basic]
	return color.RGBA{R: uint8(rgb >> 16), G: uint8(rgb >> 8), B: uint8(rgb), A: 255}
}

// drawn are the styles of a theme that have a colour.
func drawn(t *Theme) map[string]Style {
	styles := map[string]Style{"accent": t.Accent, "error": t.Error, "muted": t.Muted}
	for tone := ToneGood; int(tone) < len(toneGlyphs); tone++ {
		styles[t.glyph(tone)] = t.tones[tone]
	}
	for name, s := range styles {
		if _, none := s.GetForeground().(lipgloss.NoColor); none {
			delete(styles, name)
		}
	}
	return styles
}

func TestEveryColourCanBeReadOnItsBackground(t *testing.T) {
	for _, sixteen := range []bool{false, true} {
		for _, b := range []Background{AnyBackground, Light, Dark} {
			theme := NewTheme(false)
			if sixteen {
				theme.Sixteen()
			}
			least, on := 4.5, map[Background][]ansi.BasicColor{Light: {ansi.BrightWhite}, Dark: {ansi.Black}}[b]
			if b == AnyBackground {
				least, on = 3, []ansi.BasicColor{ansi.BrightWhite, ansi.Black}
			}
			for name, s := range drawn(theme.On(b)) {
				for terminal, mix := range mixes {
					for _, ground := range on {
						if c := contrast(mixed(s.GetForeground(), mix), mixed(ground, mix)); c < least {
							t.Errorf("%q, sixteen %v, %s: %s has a contrast of %.2f", b, sixteen, terminal, name, c)
						}
					}
				}
			}
			if !theme.Accent.GetBold() || !theme.Error.GetBold() {
				t.Errorf("%q: bold text lost its weight", b)
			}
		}
	}
}

// What must be done, what failed and what is waited for differ before anybody has read a word.
func TestStatesDifferInSixteenColours(t *testing.T) {
	for _, b := range []Background{AnyBackground, Light, Dark} {
		theme, seen := NewTheme(false).Sixteen().On(b), map[string]Tone{}
		for _, tone := range []Tone{ToneGood, ToneBad, ToneWait, ToneAct, ToneUnknown} {
			look := theme.tones[tone].Render("x")
			if other, twice := seen[look]; twice {
				t.Errorf("%q: tones %d and %d look the same: %q", b, other, tone, look)
			}
			seen[look] = tone
		}
	}
}
