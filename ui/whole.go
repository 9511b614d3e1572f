package ui

import (
	"fmt"
	"slices"
	"strings"
)

// A Whole has the whole window, without header, rule and help bar: a code to be scanned, which needs every line.
// What the header says stands beside it, with words of the screen.
type Whole struct {
	Code  QR
	Words []string // paragraphs
}

// wholeBeside is the least width of the words beside a code.
const wholeBeside = 22

// fit draws the code in a window of w×h; nil where it has no room.
func (x Whole) fit(w, h int) ([]string, int) { return x.Code.Within(w-wholeBeside-bodyMargins, h) }

// needed is the size of the window that a whole needs.
func (x Whole) needed() (w, h int) {
	w, h = x.Code.Least()
	return max(w+wholeBeside+bodyMargins, MinWidth), max(h, MinHeight)
}

// TooSmall says how large the window of a body of w×h must be for x, "" if it is large enough.
func (x Whole) TooSmall(w, h int) string {
	if code, _ := x.fit(w+bodyMargins, h+chromeLines); code != nil {
		return ""
	}
	w, h = x.needed()
	return fmt.Sprintf("The QR code needs a window of %d×%d.", w, h)
}

// Fill draws the window of a screen that fills it: the code at the left edge, beside it the environment, the host, the
// title, the words of the screen, and at the foot the notice and the keys. It returns "" for any other screen, and
// where the code has no room.
func (f Frame) Fill(w, h int, s Screen) string {
	filler, is := s.(Filler)
	if !is || TooSmall(w, h) {
		return ""
	}
	x, fills := filler.Whole()
	if !fills {
		return ""
	}
	code, used := x.fit(w, h)
	if code == nil {
		return ""
	}
	beside := f.beside(w-used-bodyMargins, h, x.Words)
	lines := make([]string, h)
	for i := range lines {
		left := blanks(used)
		if i < len(code) {
			left = code[i]
		}
		lines[i] = left + blanks(BodyX) + beside[i]
	}
	return f.Theme.Text(strings.Join(lines, "\n"))
}

// beside is the column of w×h cells beside the code. In a low window the words of the screen give way to the rest.
func (f Frame) beside(w, h int, words []string) []string {
	t := f.Theme
	var head, text, foot []string
	if f.Environment != "" {
		head = append(head, f.environment())
	}
	if f.Host != "" {
		head = append(head, t.Muted.Render(cutHost(f.Host, w)))
	}
	bare := f // the words of the banner are at the foot, where they have more than one line
	bare.Banner, bare.Rooms = Notice{}, nil
	head = append(head, bare.rule(w), t.Strong.Render(cut(f.title(), w)))
	for _, paragraph := range words {
		text = append(append(text, ""), Wrap(paragraph, w)...)
	}
	for _, n := range []Notice{f.Banner, f.Notice} {
		if n.Text != "" {
			foot = append(append(foot, ""), t.MarkLines(n.Tone, n.Text, w)...)
		}
	}
	foot = append(append(foot, ""), f.wholeKeys(w, h-len(head)-len(foot)-1)...)
	foot = shortened(foot, h-len(head))
	room := h - len(head) - len(foot)
	text = shortened(text, room)
	return slices.Concat(head, text, make([]string, room-len(text)), foot)
}

// wholeKeys are at most n keys, a line each, the one that leads back first.
func (f Frame) wholeKeys(w, n int) (lines []string) {
	for _, b := range f.Keys {
		switch {
		case !b.Enabled() || b.Help().Key == "":
		case slices.Equal(b.Keys(), Back.Keys()):
			lines = slices.Insert(lines, 0, cut(f.pair(b), w))
		default:
			lines = append(lines, cut(f.pair(b), w))
		}
	}
	return lines[:max(min(n, len(lines)), 0)]
}
