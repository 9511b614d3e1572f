package ui

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

// Mark is the tone's glyph and word, coloured: "✓ SUCCESSFUL".
func (t *Theme) Mark(tone Tone, word string) string { return word }

// Glyph is the tone's glyph alone, one cell wide.
func (t *Theme) Glyph(tone Tone) string { return "-" }
