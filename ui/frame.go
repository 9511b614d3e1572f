package ui

import (
	"fmt"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
)

// MinWidth and MinHeight are the smallest window that a screen is drawn in.
const (
	MinWidth  = 60
	MinHeight = 18
)

// BodyX and BodyY are the position of the body's upper left corner.
const (
	BodyX = 1
	BodyY = 2
)

const (
	bodyMargins = 2 * BodyX // one blank column on each side
	chromeLines = BodyY + 2 // header and rule above, notice and help bar below
	helpGap     = "   "
)

// A Frame draws the window: header, body, notice and help bar.
//
//	paydesk ▸ Activity ▸ Attempt ydtr       127.0.0.1:8099 · key demo  ▐SANDBOX▌
//	─ 1 Home ─ 2 Transactions ─ ▪ 3 Activity ─ 4 Links ─────────────────────────
//	body
//	notice
//	tab next   enter review   esc back   ? help
type Frame struct {
	Theme       *Theme
	Environment string // TEST, LIVE or SANDBOX; "" before a profile is open
	Live        bool   // the profile moves real money
	Host        string
	KeySource   string
	Trail       []string // the titles of the screens from home to the one that is shown
	// Rooms tell where a number leads, in the rule below the header; nil where none does.
	Rooms []Room
	// Times says which zone times are in, beside the title of the help page.
	Times string
	// Banner is drawn at the end of the same rule, on every screen.
	Banner Notice
	Notice Notice
	Keys   []key.Binding
}

// A Notice is the message line above the help bar.
type Notice struct {
	Tone Tone
	Text string
}

// TooSmall reports whether a window of w×h is too small for a screen.
func TooSmall(w, h int) bool { return w < MinWidth || h < MinHeight }

// BodySize returns the size of the body in a window of w×h, 0×0 when the window is too small.
func BodySize(w, h int) (int, int) {
	if TooSmall(w, h) {
		return 0, 0
	}
	return w - bodyMargins, h - chromeLines
}

// WindowTitle is the title of the terminal's window: "paydesk · TEST · Payment 0Z45".
func (f Frame) WindowTitle() string {
	words := []string{console, f.Environment, f.title()}
	return f.Theme.Text(strings.Join(slices.DeleteFunc(words, func(s string) bool { return s == "" }), " · "))
}

// Render draws the window: exactly h lines of at most w cells. A window below
// MinWidth×MinHeight shows the environment, the host, the size needed and the keys that lead out instead of the body.
func (f Frame) Render(w, h int, body string) string {
	if TooSmall(w, h) {
		return f.Theme.Text(f.tooSmall(w, h))
	}
	bw, bh := BodySize(w, h)
	lines := make([]string, h)
	lines[0], lines[1] = f.header(w), f.rule(w)
	for i, line := range strings.Split(Lines(bw, bh, body), "\n") {
		lines[BodyY+i] = blanks(BodyX) + line
	}
	most := 2
	if _, y := Focus(body); y == bh-1 { // it stays to be seen
		most = 1
	}
	notice := f.notice(bw, most)
	for i, line := range notice {
		lines[h-1-len(notice)+i] = blanks(BodyX) + line
	}
	lines[h-1] = f.helpBar(w)
	return f.Theme.Text(strings.Join(lines, "\n"))
}

// tooSmall draws the environment and the host, which must be visible in every window that has
// room for them, and the size needed: on the next line, or after them in a window of one line.
func (f Frame) tooSmall(w, h int) string {
	switch {
	case w < 1 || h < 1:
		return ""
	case f.Environment == "":
		return sizeNeeded(w, w, h)
	}
	const between = "  "
	where := f.environment()
	if width(where) >= w { // a half block in the last column is too wide for some terminals
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
	const least = 4 // cells of a host that still say something
	if free >= least && f.Host != "" {
		where += between + cutHost(f.Host, free)
	}
	lines := []string{where, sizeNeeded(w, w, h)}
	if ways := f.waysOut(w); h > len(lines) && ways != "" {
		lines = append(lines, ways)
	}
	return strings.Join(lines, "\n")
}

// waysOut are the keys that work in a window that is too small: back, and those that quit, as many as there is room for
// from the end.
func (f Frame) waysOut(w int) (ways string) {
	for _, b := range slices.Backward(f.Keys) {
		name, quits := b.Help().Key, slices.Contains(b.Keys(), quitAnywhere)
		if !b.Enabled() || !quits && !slices.Equal(b.Keys(), Back.Keys()) {
			continue
		}
		if quits && name != quitAnywhere {
			name += " or " + quitAnywhere
		}
		pair := f.Theme.Strong.Render(name) + " " + f.Theme.Muted.Render(b.Help().Desc)
		if ways != "" {
			pair += helpGap
		}
		if width(pair+ways) <= w {
			ways = pair + ways
		}
	}
	return ways
}

// tooNarrow is the shortest form of sizeNeeded.
const tooNarrow = "too small"

// sizeNeeded words the size needed in at most room cells.
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

// notice draws the message on at most so many lines. All but the last take the place of the body's last lines: a cut would
// fall on what to do.
func (f Frame) notice(w, most int) []string {
	if f.Notice.Text == "" {
		return nil
	}
	lines := f.Theme.MarkLines(f.Notice.Tone, f.Notice.Text, w)
	if len(lines) > most {
		lines = lines[:most]
		lines[most-1] = cut(lines[most-1]+" …", w)
	}
	return lines
}

// helpBar shows the enabled bindings that fit. Back and help are always shown, at the end,
// because they are all that a newcomer needs; a screen without back shows quit instead. The key that submits a form gets room
// before those that move through it.
func (f Frame) helpBar(w int) string {
	help, last, quit := Help, "", ""
	first := !slices.ContainsFunc(f.Keys, func(b key.Binding) bool { return slices.Equal(b.Keys(), Back.Keys()) })
	var pairs []string
	ends := -1
	for _, b := range f.Keys {
		switch {
		case slices.Contains(b.Keys(), helpAnywhere):
			help = b
		case !b.Enabled() || b.Help().Key == "":
		case first && slices.Contains(b.Keys(), quitAnywhere):
			quit = helpGap + f.pair(b)
		case slices.Equal(b.Keys(), Back.Keys()):
			if last == "" { // the screen's binding comes before the chrome's
				last = f.pair(b) + helpGap
			}
		default:
			if slices.Equal(b.Keys(), submitAll.Keys()) {
				ends = len(pairs)
			}
			pairs = append(pairs, f.pair(b))
		}
	}
	if help.Enabled() {
		last += f.pair(help)
	}
	last += quit
	room := w - bodyMargins - width(last)
	if ends >= 0 {
		room -= width(pairs[ends]) + len(helpGap)
	}
	bar := ""
	for i, p := range pairs {
		if i != ends {
			room -= width(p) + len(helpGap)
		}
		if i == ends || room >= 0 {
			bar += p + helpGap
		}
	}
	return strings.TrimRight(blanks(BodyX)+bar+last, " ")
}

func (f Frame) pair(b key.Binding) string {
	return f.Theme.Strong.Render(b.Help().Key) + " " + f.Theme.Muted.Render(b.Help().Desc)
}
