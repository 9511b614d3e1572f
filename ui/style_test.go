package ui

import (
	"fmt"
	"testing"
)

// What is drawn in a role is what lipgloss draws, of any text, on any background and without colours.
func TestARoleIsDrawnAsLipglossDrawsIt(t *testing.T) {
	texts := []string{"", " ", "a", "12.50 GBP", "two words ", "a\tb", "two\nlines", "a\r\nb\n", "\x1b[1mbold\x1b[m", "✓ SUCCESSFUL", "日本 é"}
	for _, theme := range []*Theme{NewTheme(false), NewTheme(false).On(Light), NewTheme(false).On(Dark), NewTheme(true).Sixteen().On(Dark), NewTheme(false).HighContrast()} {
		roles := map[string]Style{"plain": theme.Plain, "muted": theme.Muted, "strong": theme.Strong, "accent": theme.Accent, "label": theme.Label, "error": theme.Error}
		for tone, style := range theme.tones {
			roles[fmt.Sprint("tone ", tone)] = style
		}
		for role, style := range roles {
			for _, text := range texts {
				if got, want := style.Render(text), style.Style.Render(text); got != want {
					t.Errorf("%s: %q is drawn as %q, want %q", role, text, got, want)
				}
			}
		}
	}
}
