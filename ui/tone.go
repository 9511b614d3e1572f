package ui

import (
	"image/color"

	"charm.land/lipgloss/v2"
)

// A Tone is what a state means for the person looking: a colour, a glyph and a
// word together, never a colour alone.
type Tone uint8

// The tones. The zero Tone is for text that means nothing special.
const (
	ToneNone    Tone = iota
	ToneGood         // settled, money secured
	ToneBad          // rejected, failed
	ToneWait         // under way, nothing to do but wait
	ToneAct          // somebody must act
	ToneUnknown      // nobody knows, or a word we do not know
)

var toneColours = [...]color.Color{
	ToneNone:    nil,
	ToneGood:    lipgloss.Green,
	ToneBad:     lipgloss.Red,
	ToneWait:    lipgloss.Cyan,
	ToneAct:     lipgloss.Yellow,
	ToneUnknown: lipgloss.Magenta,
}

var toneGlyphs = [...][2]string{ // and the ASCII twin
	ToneNone:    {" ", " "},
	ToneGood:    {"✓", "+"},
	ToneBad:     {"✗", "x"},
	ToneWait:    {"◌", "."},
	ToneAct:     {"▲", "!"},
	ToneUnknown: {"?", "?"},
}

// known takes a tone that does not exist for one that nobody knows.
func (tone Tone) known() Tone {
	if int(tone) >= len(toneGlyphs) {
		return ToneUnknown
	}
	return tone
}

// Mark is the tone's glyph and word, coloured: "✓ SUCCESSFUL". [ToneNone] has the
// word alone.
func (t *Theme) Mark(tone Tone, word string) string {
	tone = tone.known()
	if tone == ToneNone {
		return word
	}
	return t.tones[tone].Inline(true).Render(t.glyph(tone) + " " + word)
}

// Glyph is the tone's glyph alone, coloured, one cell wide; a blank for [ToneNone].
func (t *Theme) Glyph(tone Tone) string {
	tone = tone.known()
	if tone == ToneNone {
		return " "
	}
	return t.tones[tone].Render(t.glyph(tone))
}

func (t *Theme) glyph(tone Tone) string {
	if t.ASCII {
		return toneGlyphs[tone][1]
	}
	return toneGlyphs[tone][0]
}
