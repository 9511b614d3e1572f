package ui

import (
	"image/color"
	"math"
	"strings"
	"testing"

	"charm.land/lipgloss/v2"
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

func TestColoursForABackgroundCanBeReadOnIt(t *testing.T) {
	for b, on := range map[Background]float64{Light: 1, Dark: 0} {
		theme := NewTheme(false).On(b)
		styles := map[string]lipgloss.Style{"accent": theme.Accent, "error": theme.Error, "muted": theme.Muted}
		for tone := ToneGood; int(tone) < len(toneGlyphs); tone++ {
			styles[theme.glyph(tone)] = theme.tones[tone]
		}
		for name, s := range styles {
			light, dark := max(luminance(s.GetForeground()), on), min(luminance(s.GetForeground()), on)
			if contrast := (light + 0.05) / (dark + 0.05); contrast < 4.5 {
				t.Errorf("%s: %s has a contrast of %.1f", b, name, contrast)
			}
		}
		if !theme.Accent.GetBold() || !theme.Error.GetBold() {
			t.Errorf("%s: bold text lost its weight", b)
		}
	}
}

func TestABackgroundIsLightOrDark(t *testing.T) {
	var b Background
	for text, fine := range map[string]bool{"light": true, "dark": true, "": false, "sk_test_CANARY": false} {
		if err := b.UnmarshalText([]byte(text)); (err == nil) != fine || err != nil && strings.Contains(err.Error(), "CANARY") {
			t.Errorf("%q: %v", text, err)
		}
	}
	if NewTheme(false).On(AnyBackground).Accent.GetForeground() != NewTheme(false).Accent.GetForeground() {
		t.Error("AnyBackground changes the colours")
	}
}
