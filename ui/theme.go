package ui

import (
	"strings"

	"charm.land/lipgloss/v2"
)

// A Theme is how things look: roles, not colours. Unless a background was chosen
// ([Theme.On]), all colours are of the terminal's own sixteen, so that light and dark follow
// the terminal. There is one
// accent; every other colour belongs to a [Tone]. What must be noticed is bold, what may
// be passed over is faint, so nothing is told by colour alone and no row has a
// background.
type Theme struct {
	Plain, Muted, Strong, Accent, Label, Error lipgloss.Style
	ASCII                                      bool // no glyph outside ASCII

	tones [len(toneColours)]lipgloss.Style
}

// NewTheme makes the one theme; ascii keeps every glyph to ASCII.
func NewTheme(ascii bool) *Theme {
	plain := lipgloss.NewStyle()
	t := &Theme{
		Plain: plain,
		// Faint follows the terminal's foreground; bright black is invisible on
		// some dark palettes and too light on others.
		Muted:  plain.Faint(true),
		Strong: plain.Bold(true),
		// Bright blue reads on black and on white in the stock palettes; plain blue
		// does not on black.
		Accent: plain.Bold(true).Foreground(lipgloss.BrightBlue),
		Label:  plain,
		Error:  plain.Bold(true).Foreground(lipgloss.Red),
		ASCII:  ascii,
	}
	for tone, colour := range toneColours {
		t.tones[tone] = plain
		if colour != nil {
			t.tones[tone] = plain.Foreground(colour)
		}
	}
	t.tones[ToneBad] = t.Error
	t.tones[ToneAct] = t.tones[ToneAct].Bold(true)
	return t
}

// Text is s with the console's own glyphs replaced by their ASCII twins when the
// theme asks for ASCII. Each twin is as wide as its glyph. [Frame.Render] does it to
// the whole window, so nobody else needs to.
func (t *Theme) Text(s string) string {
	if !t.ASCII {
		return s
	}
	return asciiTwins.Replace(s)
}

// rule is a thin line of w cells.
func (t *Theme) rule(w int) string {
	if w < 1 {
		return ""
	}
	return t.Muted.Render(strings.Repeat("─", w))
}

// asciiTwins are the glyphs the console draws with, each with an ASCII character of the
// same width. The half blocks of a QR code have none: in ASCII
// no screen draws one.
var asciiTwins = strings.NewReplacer(
	"…", "~", "•", "*", "·", ".", "–", "-", "—", "-", "×", "x",
	"‘", "'", "’", "'", "“", `"`, "”", `"`,
	"✓", "+", "✗", "x", "◌", ".", "▲", "!", "›", ">", "‹", "<",
	"←", "<", "→", ">", "↑", "^", "↓", "v", "●", "*", "○", "o", "■", "#", "□", "_",
	"─", "-", "━", "=", "│", "|", "┌", "+", "┐", "+", "└", "+", "┘", "+", "├", "+", "┤", "+",
	"┬", "+", "┴", "+", "┼", "+", "╭", "+", "╮", "+", "╰", "+", "╯", "+",
	"▌", "[", "▐", "]",
)
