package ui

import (
	"strings"

	"charm.land/lipgloss/v2"
)

// A Theme is the set of roles that text is drawn in. Unless a background was chosen ([Theme.On]),
// all colours are of the terminal's own sixteen, so that light and dark follow the terminal.
// There is one accent; every other colour belongs to a [Tone]. Important text is bold and
// secondary text faint, so that colour never carries information alone.
type Theme struct {
	Plain, Muted, Strong, Accent, Label, Error lipgloss.Style
	ASCII                                      bool // no glyph outside ASCII
	Clipboard                                  Clipboard

	tones [len(toneGlyphs)]lipgloss.Style
}

// NewTheme returns the default theme; with ascii every glyph is ASCII.
func NewTheme(ascii bool) *Theme {
	var plain lipgloss.Style
	bold := plain.Bold(true)
	t := &Theme{Plain: plain, Muted: plain.Faint(true), Strong: bold, Accent: bold, Label: plain, ASCII: ascii}
	t.tones[ToneBad], t.tones[ToneAct], t.tones[ToneMismatch], t.tones[ToneUnknown] = bold, bold, bold, bold
	return t.On(AnyBackground)
}

// HighContrast makes the theme draw everything in the terminal's own foreground, without faint
// text and without colours, so that all text has the contrast that the user gave the terminal.
// Bold replaces colours, and bold with underline the accent; glyphs and words carry the rest.
// Call it before anything is drawn, and after [Theme.On], which it overrides.
func (t *Theme) HighContrast() *Theme {
	t.Muted = t.Plain
	t.Accent = t.Plain.Bold(true).Underline(true)
	t.Error = t.Plain.Bold(true)
	for tone := range t.tones {
		t.tones[tone] = t.Plain.Bold(Tone(tone) != ToneNone)
	}
	return t
}

// Text returns s with paydesk's glyphs replaced by their ASCII twins if the theme is ASCII.
// [Frame.Render] does this to the whole window.
func (t *Theme) Text(s string) string {
	if !t.ASCII {
		return s
	}
	return asciiTwins.Replace(s)
}

// asciiTwins are the glyphs paydesk draws, each with an ASCII character of the same width. The
// half blocks of a QR code have none: no screen draws a code in ASCII.
var asciiTwins = strings.NewReplacer(
	"…", "~", "•", "*", "·", ".", "–", "-", "—", "-", "×", "x",
	"‘", "'", "’", "'", "“", `"`, "”", `"`,
	"✓", "+", "✗", "x", "◌", ".", "▲", "!", "≠", "#", "›", ">", "‹", "<",
	"←", "<", "→", ">", "↑", "^", "↓", "v", "●", "*", "○", "o", "■", "#", "□", "_",
	"─", "-", "━", "=", "│", "|", "┌", "+", "┐", "+", "└", "+", "┘", "+", "├", "+", "┤", "+",
	"┬", "+", "┴", "+", "┼", "+", "╭", "+", "╮", "+", "╰", "+", "╯", "+",
	"▌", "[", "▐", "]",
)
