package detail

import (
	"cmp"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/screens/present"
	"paydesk/screens/report"
	"paydesk/ui"
)

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
	lines, w = whole.Code.Beside()
	if len(lines) == 0 || len(lines) > h || m.W-w-besideCode < leastBeside {
		return nil, 0
	}
	return lines, w + besideCode
}

// withCode is a report in h lines with its code beside it, or where that is to be seen.
func (m *Model) withCode(r report.Report, h int) []string {
	w := m.column(h)
	lines, whole := r.Column(m.Theme, w, h), m.of.Code()
	if code, _ := m.code(h); code != nil {
		return present.SideBySide(w, lines, code)
	}
	if words := cmp.Or(whole.TooSmall(m.W, m.H), "z shows its QR code in the whole window."); len(lines) < h && !whole.Code.IsZero() {
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
