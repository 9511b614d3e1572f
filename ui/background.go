package ui

import (
	"errors"
	"image/color"
	"slices"

	"charm.land/lipgloss/v2"
)

// A Background is the terminal's background: as the user configured it, or as the terminal said.
type Background string

// The backgrounds.
const (
	AnyBackground Background = "" // not known
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

// A palette is the colours of a theme. A nil colour is the terminal's own foreground.
type palette struct {
	accent, muted color.Color
	tones         [len(toneGlyphs)]color.Color
	underlined    []Tone // which have no colour of their own
}

// palettes use the 256 fixed colours, which no terminal's settings change. Each colour has a
// contrast of at least 4.5 to its background, white or black; where the background is unknown, of 3
// to both. Yellow and bright green can have that to one of the two only. What is muted is most of a screen: it has the same colour
// on a dark background as before a terminal has said that it has one, so that little is drawn again.
var palettes = map[Background]palette{
	AnyBackground: {accent: lipgloss.ANSIColor(32), muted: lipgloss.ANSIColor(244), tones: [...]color.Color{
		ToneNone: nil, ToneGood: lipgloss.ANSIColor(28), ToneBad: lipgloss.ANSIColor(160),
		ToneWait: lipgloss.ANSIColor(31), ToneAct: lipgloss.ANSIColor(130), ToneMismatch: lipgloss.ANSIColor(133), ToneUnknown: lipgloss.ANSIColor(133),
	}},
	Light: {accent: lipgloss.ANSIColor(19), muted: lipgloss.ANSIColor(240), tones: [...]color.Color{
		ToneNone: nil, ToneGood: lipgloss.ANSIColor(22), ToneBad: lipgloss.ANSIColor(124),
		ToneWait: lipgloss.ANSIColor(24), ToneAct: lipgloss.ANSIColor(94), ToneMismatch: lipgloss.ANSIColor(90), ToneUnknown: lipgloss.ANSIColor(90),
	}},
	Dark: {accent: lipgloss.ANSIColor(75), muted: lipgloss.ANSIColor(244), tones: [...]color.Color{
		ToneNone: nil, ToneGood: lipgloss.ANSIColor(114), ToneBad: lipgloss.ANSIColor(210),
		ToneWait: lipgloss.ANSIColor(80), ToneAct: lipgloss.ANSIColor(221), ToneMismatch: lipgloss.ANSIColor(177), ToneUnknown: lipgloss.ANSIColor(177),
	}},
}

// sixteens are the palettes of terminals with sixteen colours, which each terminal mixes otherwise: the
// contrasts hold with those of xterm, VGA and Windows. The nearest of the sixteen to the fixed
// colours would be one red for [ToneAct] and [ToneBad]. No grey of the sixteen can be read everywhere, and a bold black is
// drawn grey by many terminals.
var sixteens = map[Background]palette{
	AnyBackground: {underlined: []Tone{ToneAct}, tones: [...]color.Color{
		ToneNone: nil, ToneGood: nil, ToneBad: lipgloss.BrightRed,
		ToneWait: lipgloss.BrightBlue, ToneAct: nil, ToneMismatch: nil, ToneUnknown: nil,
	}},
	Light: {accent: lipgloss.Blue, underlined: []Tone{ToneAct}, tones: [...]color.Color{
		ToneNone: nil, ToneGood: lipgloss.Black, ToneBad: lipgloss.Red,
		ToneWait: lipgloss.Blue, ToneAct: nil, ToneMismatch: lipgloss.Magenta, ToneUnknown: lipgloss.Magenta,
	}},
	Dark: {accent: lipgloss.BrightCyan, underlined: []Tone{ToneMismatch, ToneUnknown}, tones: [...]color.Color{
		ToneNone: nil, ToneGood: lipgloss.Green, ToneBad: lipgloss.BrightRed,
		ToneWait: lipgloss.Cyan, ToneAct: lipgloss.BrightYellow, ToneMismatch: nil, ToneUnknown: nil,
	}},
}

// On draws the theme for a background from now on, with the colours that the terminal has. A theme of
// high contrast stays as it is.
func (t *Theme) On(b Background) *Theme {
	if t.highContrast {
		return t
	}
	p := palettes[b]
	if t.sixteen {
		p = sixteens[b]
	}
	t.background = b
	t.Accent = foreground(t.Plain.Bold(true), p.accent)
	t.key = styled(t.Accent.Bold(false))
	t.Muted = foreground(t.Plain.Style, p.muted)
	for i := range t.tones {
		tone := Tone(i)
		style := t.Plain.Bold(tone == ToneBad || tone >= ToneAct).Underline(slices.Contains(p.underlined, tone))
		t.tones[i] = foreground(style, p.tones[i])
	}
	t.Error = t.tones[ToneBad]
	return t
}

// Answered draws the theme for the background that the terminal said it has, if none was known.
func (t *Theme) Answered(dark bool) {
	switch {
	case t.background != AnyBackground:
	case dark:
		t.On(Dark)
	default:
		t.On(Light)
	}
}

// foreground colours a style; nil leaves it the terminal's foreground.
func foreground(s lipgloss.Style, c color.Color) Style {
	if c != nil {
		s = s.Foreground(c)
	}
	return styled(s)
}
