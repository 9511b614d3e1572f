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

// In a body of wide cells, a window of 110 columns, the history stands beside the rest.
const (
	wide      = 108
	leastSide = 46 // cells of the history then
	mostSide  = 72
	leastPart = 5 // lines of what is below it
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
	if s.W < wide {
		return ui.Lines(s.W, s.H, append(s.Head, s.column(s.H-len(s.Head))...)...)
	}
	h := max(s.H-len(s.Head), 0)
	return ui.Lines(s.W, s.H, append(s.Head, s.Theme.Beside(s.left(), h, s.body(h), s.aside(h)))...)
}

// side is the width of the history beside the rest, left that of the rest.
func (s Sheet) side() int { return min(max(s.W*2/5, leastSide), mostSide) }

func (s Sheet) left() int { return s.W - s.side() - ui.Width(" │ ") }

// body is the report without its history in a wide window, in at most h lines if it can be.
func (s Sheet) body(h int) []string {
	return present.FitHeight(h, s.Report.lines(s.Theme, s.left(), OnPage))
}

// column is the report in a narrow window.
func (s Sheet) column(h int) []string {
	return s.Report.column(s.Theme, s.W, h, s.Report.lines(s.Theme, s.W, OnPage))
}

// aside is the history, and what belongs below it.
func (s Sheet) aside(h int) []string {
	lines := s.Report.HistoryLines(s.Theme, s.side(), max(h-1, 0))
	if room := h - len(lines) - 1; room >= leastPart && s.Beside != nil {
		lines = append(append(lines, ""), s.Beside(s.side(), room)...)
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
	if s.W < wide {
		shown := s.column(h)
		return written(s.whole()[len(s.Head):]) - written(shown[:min(h, len(shown))])
	}
	shown, history := s.body(h), func(h int) int { return written(s.Report.HistoryLines(s.Theme, s.side(), h)) }
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
