package ui

import (
	"strings"

	"charm.land/lipgloss/v2"
)

// A Theme is the set of roles that text is drawn in. There is one accent; every other colour belongs
// to a [Tone]. Important text is bold, so that colour never carries information alone.
type Theme struct {
	Plain, Muted, Strong, Accent, Label, Error Style
	ASCII                                      bool // no glyph outside ASCII
	Clipboard                                  Clipboard
	Hyperlinks                                 bool // the terminal has them (OSC 8)
	Notifier                                   Notifier

	tones        [len(toneGlyphs)]Style
	key          Style // of JSON: the accent without its weight, since the numbers are bold
	background   Background
	sixteen      bool
	highContrast bool
}

// NewTheme returns the default theme, for an unknown background and a terminal of 256 colours; with
// ascii every glyph is ASCII.
func NewTheme(ascii bool) *Theme {
	var plain lipgloss.Style
	t := &Theme{Plain: styled(plain), Strong: styled(plain.Bold(true)), Label: styled(plain), ASCII: ascii}
	return t.On(AnyBackground)
}

// Sixteen makes the theme use a terminal's sixteen colours alone. Call it before anything is drawn.
func (t *Theme) Sixteen() *Theme {
	t.sixteen = true
	return t.On(t.background)
}

// HighContrast makes the theme draw everything in the terminal's own foreground, without faint
// text and without colours, so that all text has the contrast that the user gave the terminal.
// Bold replaces colours, and bold with underline the accent; glyphs and words carry the rest.
// Call it before anything is drawn.
func (t *Theme) HighContrast() *Theme {
	t.highContrast = true
	t.Muted = t.Plain
	t.Accent = styled(t.Plain.Bold(true).Underline(true))
	t.Error, t.key = t.Strong, t.Plain
	for tone := range t.tones {
		t.tones[tone] = styled(t.Plain.Bold(Tone(tone) != ToneNone))
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

// RowMark is in front of the selected row, and barThumb and barTrack are the cells of a scroll bar. They
// have no colour: each move and each scroll writes some, over the slowest line too. The mark is bold only
// where it is a thin one, in ASCII.
func (t *Theme) RowMark() string {
	if t.ASCII {
		return t.Strong.Render(focusMark)
	}
	return focusMark
}

const (
	focusMark  = "▌"   // before a row or a field
	chosenMark = "› [" // before an answer

	barThumb = "█"
	barTrack = "│"
)

// asciiTwins are the glyphs paydesk draws, each with an ASCII character of the same width. "▌" is the
// mark of a line; a chip draws its own ends. The
// half blocks of a QR code have none: no screen draws a code in ASCII, and [QR.ASCII] is another drawing.
var asciiTwins = strings.NewReplacer(
	"…", "~", "•", "*", "·", ".", "–", "-", "—", "-", "×", "x",
	"‘", "'", "’", "'", "“", `"`, "”", `"`,
	"✓", "+", "✗", "x", "◌", ".", "▲", "!", "≠", "#", "›", ">", "‹", "<",
	"←", "<", "→", ">", "↑", "^", "↓", "v", "●", "*", "○", "o", "■", "#", "□", "_",
	"─", "-", "━", "=", "│", "|", "┌", "+", "┐", "+", "└", "+", "┘", "+", "├", "+", "┤", "+",
	"┬", "+", "┴", "+", "┼", "+", "╭", "+", "╮", "+", "╰", "+", "╯", "+",
	"▌", ">", "▐", "]", "▪", "*", "▸", ">", "▾", "v",
	"█", "#", "▓", "=", "▒", ":", "░", ".",
)
