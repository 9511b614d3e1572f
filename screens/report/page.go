package report

import (
	"math"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"paydesk/screens/present"
	"paydesk/ui"
)

// A Page lays out a report on the body of a screen. What has no room is left out, the least needed first, until a person opens
// it whole and scrolls. The zero Page is closed.
type Page struct {
	open   bool
	scroll ui.Scroll
}

// A Sheet is what a page shows: a report on a body of W×H cells.
type Sheet struct {
	Theme  *ui.Theme
	W, H   int
	Head   []string // lines above it, which stay
	Report Report
	Beside func(w, h int) []string // beside it in a wide window, below its history; nil for none
}

// What stands beside the history, or below it, has so many cells or lines at least.
const (
	leastSide = 46
	leastPart = 5
)

// View draws the page.
func (p *Page) View(s Sheet) string {
	if s.W < 1 || s.H < 1 {
		return ""
	}
	if p.open {
		scroll := p.scroll
		scroll.Show(s.W, s.H-1, s.whole())
		return ui.Lines(s.W, s.H, append(strings.Split(scroll.View(), "\n"), s.Theme.Muted.Render(scroll.Position()))...)
	}
	if s.W < present.SplitFrom {
		return ui.Lines(s.W, s.H, append(s.Head, s.column(s.H-len(s.Head))...)...)
	}
	h := max(s.H-len(s.Head), 0)
	left, side := s.widths()
	return ui.Lines(s.W, s.H, append(s.Head, s.Theme.Beside(left, h, s.body(h), s.aside(side, h)))...)
}

// widths are those of the report and of what stands beside it in a wide window.
func (s Sheet) widths() (left, side int) { return present.SplitWidths(s.W) }

// body is the report without its history in a wide window, in at most h lines if it can be.
func (s Sheet) body(h int) []string {
	left, _ := s.widths()
	return present.FitHeight(h, s.Report.lines(s.Theme, left, OnPage))
}

// column is the report in a narrow window.
func (s Sheet) column(h int) []string {
	return s.Report.column(s.Theme, s.W, h, s.Report.lines(s.Theme, s.W, OnPage))
}

// aside is the history and what belongs to it: below it, or beside it where both have room for their lines.
func (s Sheet) aside(w, h int) []string {
	if part := (w - 3) / 2; part >= leastSide && s.Beside != nil {
		return strings.Split(s.Theme.Beside(part, h, s.Report.HistoryLines(s.Theme, part, max(h-1, 0)), s.Beside(w-3-part, h)), "\n")
	}
	lines := s.Report.HistoryLines(s.Theme, w, max(h-1, 0))
	if room := h - len(lines) - 1; room >= leastPart && s.Beside != nil {
		lines = append(append(lines, ""), s.Beside(w, room)...)
	}
	return lines
}

// whole are all lines, however high.
func (s Sheet) whole() []string {
	lines := append(s.Head[:len(s.Head):len(s.Head)], present.FitHeight(math.MaxInt, s.Report.lines(s.Theme, s.W, OnPage))...)
	return append(append(lines, ""), s.Report.HistoryLines(s.Theme, s.W, math.MaxInt)...)
}

// leftOut returns how many lines have no room. What sets groups apart says nothing, nor does how long something took in a line of
// its own: it stands at the end of one then.
func (s Sheet) leftOut() int {
	h := max(s.H-len(s.Head), 0)
	if s.W < present.SplitFrom {
		shown := s.column(h)
		return written(s.whole()[len(s.Head):]) - written(shown[:min(h, len(shown))])
	}
	_, side := s.widths()
	shown, history := s.body(h), func(h int) int { return written(s.Report.HistoryLines(s.Theme, side, h)) }
	return written(s.body(math.MaxInt)) - written(shown[:min(h, len(shown))]) + history(math.MaxInt) - history(max(h-1, 0))
}

func written(lines []string) (n int) {
	for _, l := range lines {
		text := strings.TrimSpace(ansi.Strip(l))
		if text != "" && !strings.HasPrefix(text, "──") && !strings.HasPrefix(text, "│  +") {
			n++
		}
	}
	return n
}

// Press takes the key that opens and closes the page, and those that scroll, which open it too where something is left out. It
// reports whether the key was one of them, and why it does nothing.
func (p *Page) Press(k tea.KeyPressMsg, s Sheet) (why string, used bool) {
	full := p.open || s.leftOut() > 0
	switch k.String() {
	case "z":
		if !full {
			return "All there is to say about it is on the screen.", true
		}
		*p = Page{open: !p.open}
		return "", true
	case "space": // it pauses
		return "", false
	}
	next := p.scroll
	next.Show(s.W, s.H-1, s.whole())
	if !full || !next.Update(k) {
		return "", false
	}
	p.open, p.scroll = true, next
	return "", true
}

// Back closes the page that is open whole.
func (p *Page) Back() bool {
	was := p.open
	*p = Page{}
	return was
}

// Keys are the keys of a screen with those of its page: behind so many the key that opens the page whole, which says how many
// lines are left out; once it is open, before all others those that scroll.
func (p *Page) Keys(s Sheet, behind int, others []key.Binding) []key.Binding {
	if p.open {
		scroll := p.scroll
		scroll.Show(s.W, s.H-1, s.whole())
		return slices.Concat([]key.Binding{scroll.Keys(), ui.Bind("z", "less")}, others)
	}
	n := s.leftOut()
	more := ui.Bind("z", present.Thousands(n)+" more")
	more.SetEnabled(n > 0)
	return slices.Insert(others, behind, more)
}
