package detail

import (
	"math"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"paydesk/api"
	"paydesk/screens/present"
	"paydesk/screens/report"
	"paydesk/ui"
)

// What stands beside the history, or below it, has so many cells or lines at least.
const (
	leastSide = 46
	leastPart = 5
)

// page is a report in h lines: in a wide window with its history beside it.
func (m *Model) page(r report.Report, h int) []string {
	w, side := m.widths(r, h)
	switch {
	case m.of.Code != nil:
		return m.withCode(r, w, side, h)
	case side == 0:
		return r.Column(m.Theme, w, h)
	}
	return []string{m.Theme.Beside(w, h, m.body(r, w, h), m.aside(r, side, h))}
}

// widths returns how wide a report in h lines is, and what stands beside it and its code: 0 where that has no room, or is nothing.
func (m *Model) widths(r report.Report, h int) (w, side int) {
	if m.of.Code == nil && m.W >= present.SplitFrom && (m.of.Beside != nil || len(r.History) > 0) {
		return present.SplitWidths(m.W)
	}
	const most = 90 // text is not read well in long lines
	code, cells := m.code(h)
	w = min(m.W-cells, most)
	if side = m.W - w - cells - 3; code == nil || side < leastSide || len(r.History) == 0 {
		side = 0
	}
	return w, side
}

// body is the report without its history, in at most h lines if it can be.
func (m *Model) body(r report.Report, w, h int) []string {
	return present.FitHeight(h, r.Page(m.Theme, w))
}

// aside is the history and what belongs to it: below it, or beside it where both have room for their lines.
func (m *Model) aside(r report.Report, w, h int) []string {
	if part := (w - 3) / 2; part >= leastSide && m.of.Beside != nil {
		return strings.Split(m.Theme.Beside(part, h, r.HistoryLines(m.Theme, part, max(h-1, 0)), m.of.Beside(w-3-part, h)), "\n")
	}
	lines := r.HistoryLines(m.Theme, w, max(h-1, 0))
	if room := h - len(lines) - 1; room >= leastPart && m.of.Beside != nil {
		if len(lines) > 0 {
			lines = append(lines, "")
		}
		lines = append(lines, m.of.Beside(w, room)...)
	}
	return lines
}

// leftOut returns how many lines of a report have no room. Lines that only set groups apart do not
// count, nor does a duration on a line of its own: with less room it stands at the end of another.
func (m *Model) leftOut() int {
	h := max(m.H-len(m.head()), 0)
	r := m.of.Report()
	w, side := m.widths(r, h)
	if side == 0 {
		shown := r.Column(m.Theme, w, h)
		return written(r.Whole(m.Theme, w, 0)) - written(shown[:min(h, len(shown))])
	}
	shown, history := m.body(r, w, h), func(h int) int { return written(r.HistoryLines(m.Theme, side, h)) }
	return written(m.body(r, w, math.MaxInt)) - written(shown[:min(h, len(shown))]) + history(math.MaxInt) - history(max(h-1, 0))
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

const (
	leastBeside = 33 // cells that facts need beside a code
	besideCode  = 2  // between both
)

// Whole implements [ui.Filler]: a code may have the whole window.
func (m *Model) Whole() (w ui.Whole, fills bool) {
	if m.of.Code != nil {
		w = m.of.Code()
	}
	return w, m.filled && !w.Code.IsZero()
}

// toggleCode gives the whole window to the code, for which there may be no room beside the facts, or takes it back.
func (m *Model) toggleCode() tea.Cmd {
	whole, _ := m.Whole()
	small := whole.TooSmall(m.W, m.H)
	switch {
	case whole.Code.IsZero():
		return m.Warn("There is no QR code: this terminal has no Unicode, or the URL is too long.")
	case small != "" && !m.filled:
		return m.Warn(small + " y copies the URL.")
	}
	m.filled = !m.filled
	return nil
}

// code is the code beside the facts with its width, nil where it has no room there.
func (m *Model) code(h int) (lines []string, w int) {
	whole, _ := m.Whole()
	if lines, w = whole.Code.Beside(m.W-besideCode-leastBeside, h); w > 0 {
		w += besideCode
	}
	return lines, w
}

// withCode is a report in h lines with its code beside it, or where that is to be seen. In a very wide window its history stands
// beside both.
func (m *Model) withCode(r report.Report, w, side, h int) []string {
	code, cells := m.code(h)
	if side > 0 {
		both := present.SideBySide(w, m.body(r, w, h), code)
		return []string{m.Theme.Beside(w+cells, h, both, m.aside(r, side, h))}
	}
	lines, whole := r.Column(m.Theme, w, h), m.of.Code()
	if code != nil {
		return present.SideBySide(w, lines, code)
	}
	if words := whole.TooSmall(m.W, m.H); words != "" && len(lines) < h && !whole.Code.IsZero() { // else the help bar has the key
		lines = append(lines, m.Theme.Muted.Render(words))
	}
	return lines
}

// CopyURL is the key that copies a whole URL. Selected in the terminal, one of several lines may get line breaks.
func (m *Model) CopyURL(a api.Address) ui.Command {
	why := ""
	if a.IsZero() {
		why = "There is no URL that is safe to copy."
	}
	return ui.Command{Key: ui.Bind("y", "copy URL"), On: true, Why: why, Do: func() tea.Cmd { return m.Copy("URL", a.String()) }}
}
