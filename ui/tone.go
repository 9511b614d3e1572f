package ui

import "image/color"

// A Tone is the meaning of a state, drawn as a colour, a glyph and a word together.
type Tone uint8

// The tones. The zero Tone is for plain text.
const (
	ToneNone     Tone = iota
	ToneGood          // settled, money secured
	ToneBad           // rejected, failed
	ToneWait          // in progress, nothing to do but wait
	ToneAct           // somebody must act
	ToneMismatch      // the service answered something else than was asked: as loud as unresolved
	ToneUnknown       // unresolved, or a status the specification does not have
)

var toneGlyphs = [...]string{
	ToneNone: " ", ToneGood: "✓", ToneBad: "✗", ToneWait: "◌", ToneAct: "▲", ToneMismatch: "≠", ToneUnknown: "?",
}

// Mark draws the tone's glyph and a word, coloured: "✓ SUCCESSFUL". [ToneNone] has no glyph, and a
// tone that does not exist is [ToneUnknown].
func (t *Theme) Mark(tone Tone, word string) string {
	if tone == ToneNone {
		return word
	}
	tone = min(tone, ToneUnknown)
	return t.tones[tone].Render(t.glyph(tone) + " " + word)
}

// Colour is the colour that a tone is drawn in.
func (t *Theme) Colour(tone Tone) color.Color { return t.tones[min(tone, ToneUnknown)].GetForeground() }

func (t *Theme) glyph(tone Tone) string { return t.Text(toneGlyphs[tone]) }

// MarkLines is Mark on as many lines of at most w cells as the words need, each under the
// beginning of the first.
func (t *Theme) MarkLines(tone Tone, words string, w int) []string {
	lines := Wrap(words, max(w-2, 1))
	for i, l := range lines {
		if lines[i] = t.Mark(tone, l); i > 0 && tone != ToneNone {
			lines[i] = "  " + l
		}
	}
	return lines
}

// ErrorLines are words as an error, on lines of at most w cells, each behind its sign.
func (t *Theme) ErrorLines(words string, w int) []string {
	lines := Wrap(words, max(w-2, 1))
	for i, l := range lines {
		lines[i] = t.Error.Render("! " + l)
	}
	return lines
}

// MutedLines are secondary words on lines of at most w cells, or of 1 where there is less room.
func (t *Theme) MutedLines(words string, w int) []string {
	return styleLines(t.Muted.Render, Wrap(words, max(w, 1)))
}

// StrongLines are words in bold, wrapped to w cells.
func (t *Theme) StrongLines(words string, w int) []string {
	return styleLines(t.Strong.Render, Wrap(words, max(w, 1)))
}
