package ui

import (
	"errors"
	"image/color"

	"charm.land/lipgloss/v2"
)

// A Background is the terminal's background as the user configured it. Querying the terminal
// would cost a round trip, and many do not answer.
type Background string

// The backgrounds.
const (
	AnyBackground Background = "" // use the terminal's own sixteen colours
	Light         Background = "light"
	Dark          Background = "dark"
)

// UnmarshalText implements [encoding.TextUnmarshaler]. The error does not quote the text.
func (b *Background) UnmarshalText(text []byte) error {
	switch chosen := Background(text); chosen {
	case Light, Dark:
		*b = chosen
		return nil
	}
	return errors.New("the background must be light or dark")
}

// MarshalText implements [encoding.TextMarshaler].
func (b Background) MarshalText() ([]byte, error) { return []byte(b), nil }

// palettes use colours of the 256 that no terminal's settings change, each with a contrast of at
// least 4.5 to white or to black. A terminal with sixteen colours shows the nearest.
var palettes = map[Background]struct {
	accent color.Color
	muted  color.Color // nil for faint, which many terminals ignore on black text
	tones  [len(toneGlyphs)]color.Color
}{
	// Bright blue is readable on black and on white in the stock palettes; plain blue is not readable
	// on black. Bright black is invisible on some dark palettes and too light on others.
	AnyBackground: {lipgloss.BrightBlue, nil, [...]color.Color{
		ToneNone: nil, ToneGood: lipgloss.Green, ToneBad: lipgloss.Red,
		ToneWait: lipgloss.Cyan, ToneAct: lipgloss.Yellow, ToneMismatch: lipgloss.Magenta, ToneUnknown: lipgloss.Magenta,
	}},
	Light: {lipgloss.ANSIColor(19), lipgloss.ANSIColor(240), [...]color.Color{
		ToneNone: nil, ToneGood: lipgloss.ANSIColor(22), ToneBad: lipgloss.ANSIColor(124),
		ToneWait: lipgloss.ANSIColor(24), ToneAct: lipgloss.ANSIColor(94), ToneMismatch: lipgloss.ANSIColor(90), ToneUnknown: lipgloss.ANSIColor(90),
	}},
	Dark: {lipgloss.ANSIColor(75), lipgloss.ANSIColor(246), [...]color.Color{
		ToneNone: nil, ToneGood: lipgloss.ANSIColor(114), ToneBad: lipgloss.ANSIColor(210),
		ToneWait: lipgloss.ANSIColor(80), ToneAct: lipgloss.ANSIColor(221), ToneMismatch: lipgloss.ANSIColor(177), ToneUnknown: lipgloss.ANSIColor(177),
	}},
}

// On changes the theme to a background's palette. Call it before anything is drawn.
func (t *Theme) On(b Background) *Theme {
	p, chosen := palettes[b]
	if !chosen {
		return t
	}
	t.Accent = t.Accent.Foreground(p.accent)
	if p.muted != nil {
		t.Muted = t.Muted.Faint(false).Foreground(p.muted)
	}
	for tone, c := range p.tones {
		if c != nil {
			t.tones[tone] = t.tones[tone].Foreground(c)
		}
	}
	t.Error = t.tones[ToneBad]
	return t
}
