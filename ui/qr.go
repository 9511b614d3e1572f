package ui

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"charm.land/lipgloss/v2"
	"rsc.io/qr"
)

// The empty border of a code, in modules. The standard requires roomyZone; phones read quietZone, which a code
// beside text has, and leastZone, for which alone a URL of 150 bytes fits a window of 80×24.
const (
	roomyZone = 4
	quietZone = 2
	leastZone = 1
)

// qrLight is a light grey, since a block of pure white glares on a dark screen: its reflectance is 70 percentage points above that of
// black, the contrast from which ISO/IEC 15415 gives its best grade. Both are colours of the 256, because a palette may swap the
// terminal's own sixteen. A terminal with only sixteen shows bright white and black.
var (
	qrLight = lipgloss.Color("253")
	qrStyle = lipgloss.NewStyle().Foreground(qrLight).Background(lipgloss.Color("16"))
)

// A QR is a text as a QR code.
//
// The half blocks are the light modules. Without colours (NO_COLOR) the code is therefore right
// on a dark terminal and inverted on a light one, which most readers accept. It has the lowest
// error correction: a screen does not get dirty, and the code is smallest.
type QR struct{ code *qr.Code }

// QR encodes a text. There is no code for no text, for a text that is too long for one, and in ASCII, which
// has no half blocks.
func (t *Theme) QR(text string) QR {
	code, err := qr.Encode(text, qr.L)
	if err != nil || text == "" || t.ASCII {
		return QR{}
	}
	return QR{code}
}

// IsZero reports whether there is no code.
func (q QR) IsZero() bool { return q.code == nil }

// Beside draws the code for a place of at most w×h cells beside text, of twice the size where that fits: 37×19 cells for 54 to 78 bytes.
func (q QR) Beside(w, h int) (lines []string, width int) { return q.fitted(w, h, quietZone, quietZone) }

// ASCII draws the code where there are no half blocks, with two characters for each module: in colours as whole
// squares, and without them with # for the light ones, as the half blocks are.
func (q QR) ASCII() (lines []string) {
	if q.IsZero() {
		return nil
	}
	for y := -quietZone; y < q.code.Size+quietZone; y++ {
		var b strings.Builder
		for x := -quietZone; x < q.code.Size+quietZone; {
			from, dark := x, q.code.Black(x, y)
			for x < q.code.Size+quietZone && q.code.Black(x, y) == dark {
				x++
			}
			if dark {
				b.WriteString(darkSquare.Render(strings.Repeat("  ", x-from)))
			} else {
				b.WriteString(lightSquare.Render(strings.Repeat("##", x-from)))
			}
		}
		lines = append(lines, b.String())
	}
	return lines
}

// The squares of a code in ASCII: what is drawn on a light one has its colour, so that the square is whole.
var (
	lightSquare = lipgloss.NewStyle().Foreground(qrLight).Background(qrLight)
	darkSquare  = lipgloss.NewStyle().Background(lipgloss.Color("16"))
)

// Within draws the code in at most w×h cells, with as much of a quiet zone as there is room for; nil where it does not fit with the least.
func (q QR) Within(w, h int) (lines []string, width int) { return q.fitted(w, h, leastZone, roomyZone) }

// fitted draws the code in at most w×h cells, of twice the size where that fits.
func (q QR) fitted(w, h, least, most int) (lines []string, width int) {
	for each := 2; each > 0 && !q.IsZero(); each-- {
		across, down := min((w/each-q.code.Size)/2, most), min((2*h/each-q.code.Size)/2, most)
		if min(across, down) >= least {
			return q.draw(each, across, down), each * (q.code.Size + 2*across)
		}
	}
	return nil, 0
}

// Least returns how many cells the code needs.
func (q QR) Least() (w, h int) {
	if q.IsZero() {
		return 0, 0
	}
	side := q.code.Size + 2*leastZone
	return side, (side + 1) / 2
}

// draw draws the code in half blocks with a quiet zone, dark on light whatever the terminal's colours. A module has so many half
// blocks each way.
func (q QR) draw(each, across, down int) (lines []string) {
	light := func(x, y int) bool { return !q.code.Black(x/each-across, y/each-down) }
	for y := 0; y < each*(q.code.Size+2*down); y += 2 {
		var b strings.Builder
		for x := range each * (q.code.Size + 2*across) {
			b.WriteString(halfBlocks[light(x, y)][light(x, y+1)])
		}
		lines = append(lines, qrStyle.Render(b.String()))
	}
	return lines
}

// halfBlocks are two modules in one cell: the keys say if the upper and the lower one are light.
var halfBlocks = map[bool]map[bool]string{true: {true: "█", false: "▀"}, false: {true: "▄", false: " "}}

// A Whole has the whole window, without header, rule and help bar: a code to be scanned, which needs every line.
// What the header says stands beside it, with words of the screen.
type Whole struct {
	Code   QR
	Amount string   // what is to be paid: bold, above all else, and never left out; "" where it is not known
	Words  []string // paragraphs
}

// wholeBeside is the least width of the words beside a code.
const wholeBeside = 22

// TooSmall says how large the window of a body of w×h must be for x, "" if it is large enough.
func (x Whole) TooSmall(w, h int) string {
	least, lines := x.Code.Least()
	least, lines = max(least+wholeBeside+bodyMargins, MinWidth), max(lines, MinHeight)
	if w+bodyMargins >= least && h+chromeLines >= lines {
		return ""
	}
	return fmt.Sprintf("The QR code needs a window of %d×%d.", least, lines)
}

// Fill draws the window of a screen that fills it: the code at the left edge, beside it the environment, the host, the
// amount or else the title, the words of the screen, and at the foot the notice and six keys at most. It returns "" for any other screen, and
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
	code, used := x.Code.Within(w-wholeBeside-bodyMargins, h)
	if code == nil {
		return ""
	}
	beside := f.beside(w-used-bodyMargins, h, x)
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

// beside is the column of w×h cells beside the code. In a low window all but four keys make way for the words of the screen, and
// these for the rest.
func (f Frame) beside(w, h int, x Whole) []string {
	t, chip := f.Theme, f.environment()
	head := []string{chip, t.Muted.Render(cutHost(f.Host, w))}
	if room := w - width(chip); width(f.Host) < room {
		head = []string{Fit(t.Muted.Render(f.Host), room) + chip}
	}
	bare := f // the words of the banner are at the foot, where they have more than one line
	bare.Banner, bare.Rooms = Notice{}, nil
	head = append(head, bare.rule(w))
	head = append(head, t.StrongLines(cmp.Or(x.Amount, f.title()), w)...)
	var text, foot []string
	for _, paragraph := range x.Words {
		text = append(append(text, ""), Wrap(paragraph, w)...)
	}
	for _, n := range []Notice{f.Banner, f.Notice} {
		if n.Text != "" {
			foot = append(append(foot, ""), t.MarkLines(n.Tone, n.Text, w)...)
		}
	}
	foot = append(append(foot, ""), f.wholeKeys(w, min(max(h-len(head)-len(text)-len(foot)-1, 4), 6))...)
	foot = shortened(foot, h-len(head))
	room := h - len(head) - len(foot)
	text = shortened(text, room)
	return slices.Concat(head, text, make([]string, room-len(text)), foot)
}

// wholeKeys are at most n keys, a line each, the one that leads back first; the help has the rest.
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
