package ui

import (
	"errors"
	"image/color"
	"slices"
	"strings"

	"charm.land/lipgloss/v2"
)

// A Theme is the set of roles that text is drawn in. There is one accent; every other colour belongs
// to a [Tone]. Important text is bold, so that colour never carries information alone.
type Theme struct {
	Plain, Muted, Strong, Accent, Error Style
	ASCII                               bool // no glyph outside ASCII
	Clipboard                           Clipboard
	Hyperlinks                          bool // the terminal has them (OSC 8)
	Notifier                            Notifier

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
	t := &Theme{Plain: styled(plain), Strong: styled(plain.Bold(true)), ASCII: ascii}
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
		t.tones[tone] = styled(t.Plain.Bold(Tone(tone) > ToneDone))
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
	chosenMark = "▌ [" // before an answer
	// facetMark is before the facet that has the focus, in bold: text from outside is in no style.
	facetMark = "\x1b[1m‹\x1b[m"

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

// A Style draws a role. Nearly all that is drawn in it is a part of one line, for which lipgloss would weigh
// borders, margins and widths each time: what it puts around such a text is found out once.
type Style struct {
	lipgloss.Style
	before, after string
	simple        bool // the text stands between them as it is
}

// styled is a style of lipgloss with what it puts around a text.
func styled(s lipgloss.Style) Style {
	const probe = "a b"
	before, after, simple := strings.Cut(s.Render(probe), probe)
	return Style{s, before, after, simple}
}

// Render draws a text.
func (s Style) Render(text string) string {
	if !s.simple || text == "" || strings.ContainsAny(text, "\t\r\n") {
		return s.Style.Render(text)
	}
	return s.before + text + s.after
}

// hanging draws lines behind blanks and a sign, each under the beginning of the first.
func (s Style) hanging(indent int, sign string, lines []string) []string {
	for i, line := range lines {
		if i == 0 {
			lines[i] = blanks(indent) + s.Render(sign+line)
		} else {
			lines[i] = blanks(indent+width(sign)) + s.Render(line)
		}
	}
	return lines
}

// A Tone is the meaning of a state, drawn as a colour, a glyph and a word together.
type Tone uint8

// The tones. The zero Tone is for plain text.
const (
	ToneNone     Tone = iota
	ToneDone          // done, and nothing is left to do; no success of a payment
	ToneGood          // settled, money secured
	ToneBad           // rejected, failed
	ToneWait          // in progress, nothing to do but wait
	ToneAct           // a person must act
	ToneMismatch      // the service answered something else than was asked: as loud as unresolved
	ToneUnknown       // unresolved, or a status the specification does not have
)

var toneGlyphs = [...]string{
	ToneNone: " ", ToneDone: "●", ToneGood: "✓", ToneBad: "✗", ToneWait: "◌", ToneAct: "▲", ToneMismatch: "≠", ToneUnknown: "?",
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
	if tone == ToneNone {
		return Wrap(words, max(w, 1))
	}
	tone = min(tone, ToneUnknown)
	return t.tones[tone].hanging(0, t.glyph(tone)+" ", Wrap(words, max(w-2, 1)))
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
	return t.Muted.hanging(0, "", Wrap(words, max(w, 1)))
}

// StrongLines are words in bold, wrapped to w cells.
func (t *Theme) StrongLines(words string, w int) []string {
	return t.Strong.hanging(0, "", Wrap(words, max(w, 1)))
}

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
// contrasts hold with those of xterm, VGA and Windows, except for the bright magenta of Windows, with 3.2. The nearest of the sixteen to the fixed
// colours would be one red for [ToneAct] and [ToneBad]. No grey of the sixteen can be read everywhere, and a bold black is
// drawn grey by many terminals: what is muted is faint, which terminals mix from the foreground.
var sixteens = map[Background]palette{
	AnyBackground: {underlined: []Tone{ToneAct}, tones: [...]color.Color{
		ToneNone: nil, ToneGood: nil, ToneBad: lipgloss.BrightRed,
		ToneWait: lipgloss.BrightBlue, ToneAct: nil, ToneMismatch: nil, ToneUnknown: nil,
	}},
	Light: {accent: lipgloss.Blue, underlined: []Tone{ToneAct}, tones: [...]color.Color{
		ToneNone: nil, ToneGood: lipgloss.Black, ToneBad: lipgloss.Red,
		ToneWait: lipgloss.Blue, ToneAct: nil, ToneMismatch: lipgloss.Magenta, ToneUnknown: lipgloss.Magenta,
	}},
	Dark: {accent: lipgloss.BrightCyan, tones: [...]color.Color{
		ToneNone: nil, ToneGood: lipgloss.Green, ToneBad: lipgloss.BrightRed,
		ToneWait: lipgloss.Cyan, ToneAct: lipgloss.BrightYellow, ToneMismatch: lipgloss.BrightMagenta, ToneUnknown: lipgloss.BrightMagenta,
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
	t.Muted = foreground(t.Plain.Faint(p.muted == nil), p.muted)
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
