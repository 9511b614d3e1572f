package ui

import (
	"fmt"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	"github.com/charmbracelet/x/ansi"
)

// MinWidth and MinHeight are the smallest window the console works in.
const (
	MinWidth  = 60
	MinHeight = 18
)

// BodyX and BodyY are where the body's upper left corner stands.
const (
	BodyX = 1
	BodyY = 2
)

const (
	bodyMargins = 2 * BodyX // a blank column on both sides
	chromeLines = BodyY + 2 // header and rule above; notice and help bar below
	helpGap     = "   "
)

// A Frame is the chrome around a screen's body: header, body, notice, help
// bar. It is the only layout arithmetic of the console.
//
//	paydesk  SANDBOX  127.0.0.1:8099  key demo                  Collect
//	────────────────────────────────────────────────────────────────────
//	body
//	notice
//	tab next   enter review   esc back   ? help
type Frame struct {
	Theme       *Theme
	Environment string // TEST, LIVE or SANDBOX; "" before a profile is open
	Live        bool   // the profile says that real money moves
	Host        string
	KeySource   string
	Title       string
	// Banner stands in the rule below the header, whatever screen is shown.
	Banner Notice
	Notice Notice
	Keys   []key.Binding
}

// A Notice is one line of news above the help bar.
type Notice struct {
	Tone Tone
	Text string
}

// TooSmall reports whether a window of w×h cannot hold a screen.
func TooSmall(w, h int) bool { return w < MinWidth || h < MinHeight }

// BodySize is the size of the body in a window of w×h; 0×0 when the window is
// too small.
func BodySize(w, h int) (int, int) {
	if TooSmall(w, h) {
		return 0, 0
	}
	return w - bodyMargins, h - chromeLines
}

// Render draws the whole window of exactly h lines, each at most w cells.
// A window below MinWidth×MinHeight gets where the console is and what it needs instead,
// cut to w cells, and a window without cells nothing.
func (f Frame) Render(w, h int, body string) string {
	if TooSmall(w, h) {
		return f.Theme.Text(f.tooSmall(w, h))
	}
	lines := make([]string, 0, h)
	lines = append(lines, f.header(w), f.rule(w))
	bw, bh := BodySize(w, h)
	for line := range strings.SplitSeq(Lines(bw, bh, body), "\n") {
		lines = append(lines, blanks(BodyX)+line)
	}
	for len(lines) < BodyY+bh {
		lines = append(lines, "")
	}
	lines = append(lines, f.notice(w), f.helpBar(w))
	return f.Theme.Text(strings.Join(lines, "\n"))
}

// tooSmall is the environment and the host, which no window is too small for as long as
// there is room for them (R77), and what a screen needs: below that, or behind it where
// there is one line.
func (f Frame) tooSmall(w, h int) string {
	switch {
	case w < 1 || h < 1:
		return ""
	case f.Environment == "":
		return sizeNeeded(w, w, h)
	}
	const between = "  "
	where := f.environment()
	if width(where) > w {
		where = cut(f.Environment, w)
	}
	free := w - width(where) - len(between)
	if h == 1 {
		if left := free - width(f.Host) - len(between); left >= len(tooNarrow) {
			where, free = where+between+f.Host, left
		}
		if free < len(tooNarrow) {
			return where
		}
		return where + between + sizeNeeded(free, w, h)
	}
	if free > 0 && f.Host != "" {
		where += between + cutHost(f.Host, free)
	}
	return where + "\n" + sizeNeeded(w, w, h)
}

// tooNarrow is what there is least room for.
const tooNarrow = "too small"

// sizeNeeded is said in at most room cells.
func sizeNeeded(room, w, h int) string {
	for _, words := range []string{
		fmt.Sprintf("paydesk needs %d×%d; this window is %d×%d", MinWidth, MinHeight, w, h),
		fmt.Sprintf("paydesk needs %d×%d, has %d×%d", MinWidth, MinHeight, w, h),
		fmt.Sprintf("needs %d×%d", MinWidth, MinHeight),
	} {
		if width(words) <= room {
			return words
		}
	}
	return cut(tooNarrow, room)
}

// header keeps the environment, the host and the title, of which the latter two are cut
// where they are long; where the key is from gives way first.
func (f Frame) header(w int) string {
	t := f.Theme
	left := t.Accent.Render("paydesk")
	if f.Environment != "" {
		left += "  " + f.environment()
	}
	all := w - bodyMargins - len(helpGap)
	title := t.Strong.Render(cut(f.Title, min(w/2, all-width(left)-2-min(width(f.Host), minHostWidth))))
	room := all - width(title)
	if free := room - width(left) - 2; f.Host != "" {
		left += "  " + t.Muted.Render(cutHost(f.Host, free))
	}
	if free := room - width(left) - 2; f.KeySource != "" && free >= 8 {
		left += "  " + t.Muted.Render(cut(f.keySource(), free))
	}
	left = cut(left, room)
	gap := w - bodyMargins - width(left) - width(title)
	return blanks(BodyX) + left + blanks(gap) + title
}

// minHostWidth are the cells that a title leaves to the host.
const minHostWidth = 12

// cutHost cuts a host in front: who it belongs to stands at its end.
func cutHost(host string, w int) string {
	if n := width(host); n > w {
		return ansi.TruncateLeft(host, n-w+1, "…")
	}
	return host
}

// rule is the line below the header with the banner in it. In live it is a heavy one, so that
// every frame of it is told from the others without a colour.
func (f Frame) rule(w int) string {
	stroke, style := "─", f.Theme.Muted
	if f.Live {
		stroke, style = "━", f.Theme.tones[ToneAct]
	}
	draw := func(n int) string { return style.Render(strings.Repeat(stroke, max(n, 0))) }
	if f.Banner.Text == "" {
		return draw(w)
	}
	const around = 4 // a stroke and a blank on both sides
	words := cut(f.Theme.Mark(f.Banner.Tone, f.Banner.Text), w-around)
	return draw(1) + " " + words + " " + draw(w-width(words)-around+1)
}

func (f Frame) keySource() string {
	if f.KeySource == "" {
		return ""
	}
	return "key " + f.KeySource
}

// environment is a word; live money stands between bars, so that it is told from
// the others without a colour.
func (f Frame) environment() string {
	if f.Live {
		return f.Theme.tones[ToneAct].Render("▌" + f.Environment + "▐")
	}
	return f.Theme.Strong.Render(f.Environment)
}

func (f Frame) notice(w int) string {
	if f.Notice.Text == "" {
		return ""
	}
	return blanks(BodyX) + cut(f.Theme.Mark(f.Notice.Tone, f.Notice.Text), w-bodyMargins)
}

// helpBar shows the enabled bindings as far as they fit. The way back and help stand last
// and always: whoever knows no other key of a screen needs these two. Where there is no
// way back, the way out stands in its place.
func (f Frame) helpBar(w int) string {
	help, last, quit := Help, "", ""
	first := !slices.ContainsFunc(f.Keys, func(b key.Binding) bool { return slices.Equal(b.Keys(), Back.Keys()) })
	var pairs []string
	for _, b := range f.Keys {
		switch {
		case slices.Contains(b.Keys(), helpAnywhere):
			help = b
		case !b.Enabled() || b.Help().Key == "":
		case first && slices.Equal(b.Keys(), Quit.Keys()):
			quit = helpGap + f.pair(b)
		case slices.Equal(b.Keys(), Back.Keys()):
			if last == "" { // the screen's own words come before the chrome's
				last = f.pair(b) + helpGap
			}
		default:
			pairs = append(pairs, f.pair(b))
		}
	}
	if help.Enabled() {
		last += f.pair(help)
	}
	if first {
		last += quit
	}
	room := w - bodyMargins - width(last)
	bar := ""
	for _, p := range pairs {
		if room -= width(p) + len(helpGap); room < 0 {
			break
		}
		bar += p + helpGap
	}
	return strings.TrimRight(blanks(BodyX)+bar+last, " ")
}

func (f Frame) pair(b key.Binding) string {
	return f.Theme.Strong.Render(b.Help().Key) + " " + f.Theme.Muted.Render(b.Help().Desc)
}

// HelpPage draws the help of a screen, in the place of its body: its title, every
// enabled binding with its words, and more lines of explanation. Bindings stand in
// two columns side by side when one would be too long. It takes at most w×h cells,
// and says so where that leaves something out.
func (f Frame) HelpPage(w, h int, bindings []key.Binding, more ...string) string {
	if w < 1 || h < 1 {
		return ""
	}
	rows := f.helpRows(bindings)
	text := []string{}
	for _, m := range more {
		text = append(text, Wrap(m, w)...)
	}
	const frills = 4 // the title, and a blank line below it, the keys and the text
	if half := (len(rows) + 1) / 2; len(rows)+len(text)+frills > h && half > 0 {
		for i := range half {
			rows[i] = Fit(rows[i], w/2-1)
			if half+i < len(rows) {
				rows[i] += " " + rows[half+i]
			}
		}
		rows = rows[:half]
	}
	lines := append([]string{f.Theme.Accent.Render(cut("Keys: "+f.Title, w)), ""}, rows...)
	lines = append(append(lines, ""), text...)
	if len(lines) > h {
		lines[h-1] = f.Theme.Muted.Render(cut("… more in a taller window", w))
	}
	return Lines(w, h, lines...)
}

// helpRows are key and words of each enabled binding, the words in line.
func (f Frame) helpRows(bindings []key.Binding) []string {
	widest := 0
	for _, b := range bindings {
		if b.Enabled() {
			widest = max(widest, width(b.Help().Key))
		}
	}
	var rows []string
	for _, b := range bindings {
		if b.Enabled() && b.Help().Key != "" {
			rows = append(rows, f.Theme.Strong.Render(Fit(b.Help().Key, widest))+"  "+b.Help().Desc)
		}
	}
	return rows
}
