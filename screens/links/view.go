package links

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"paydesk/api/journal"
	"paydesk/screens/present"
	"paydesk/screens/report"
	"paydesk/ui"
)

const (
	below = 6 // lines of a link below the list, in a low window too
)

// View implements [ui.Screen].
func (m *Model) View() (string, *tea.Cursor) {
	if m.W < 1 || m.H < 1 {
		return "", nil
	}
	lines, cursor := m.head()
	w, h := m.panes.ListSize()
	if len(m.snapshot.top)+m.snapshot.page.Count > 0 {
		lines = append(lines, m.table.View())
		return m.panes.View(ui.Lines(w, h, lines...), m.pane), cursor
	}
	if words, k := m.empty(); words != "" {
		lines = append(lines, m.Theme.Invite(words, k, m.W, m.H-len(lines))...)
	}
	return ui.Lines(m.W, m.H, lines...), cursor
}

// head is the number of links, any problem, and the filter while there is one.
func (m *Model) head() ([]string, *tea.Cursor) {
	w, h := m.panes.ListSize()
	lines := []string{m.position()}
	lines = append(lines, m.problem.Lines(m.Theme, w)...)
	lines, cursor := m.filter.View(lines, w, h)
	if !m.filter.Typing {
		lines = append(lines, "")
	}
	return lines, cursor
}

// position returns how many links there are, how many the filter leaves, and when they were read.
func (m *Model) position() string {
	if m.snapshot.at.IsZero() {
		if !m.problem.IsZero() {
			return "Nothing loaded yet."
		}
		return m.Theme.WaitLines(m.loadCall.Wait(), "Reading the journal", m.W)[0]
	}
	s := &m.snapshot
	words := count(len(s.open), &s.all)
	switch {
	case s.text != "":
		words = present.Thousands(len(m.snapshot.top)+s.page.Count) + orMore(&s.page) + " of " + words
	case len(s.open)+s.all.Count == 0:
		words = "No links"
	}
	if s.page.Searching {
		words = "Searching… " + words + " so far"
	}
	return words + m.Theme.Muted.Render(" · as of "+present.Clock(m.snapshot.at.Local()))
}

// count returns how many links there are, besides the open ones those that were found.
func count(open int, found *journal.Page[journal.LinkRecord]) string {
	if more := orMore(found); more != "" {
		return present.Thousands(open+found.Count) + more + " links"
	}
	return present.Count(open+found.Count, "link", "links")
}

// orMore follows the number of links that were found, where there may be more.
func orMore(found *journal.Page[journal.LinkRecord]) string {
	if found.Complete || found.Searching {
		return ""
	}
	return " or more"
}

// layout gives the table the height that the rest leaves.
func (m *Model) layout() {
	head, _ := m.head()
	w, h := m.panes.ListSize()
	m.table.Resize(w, max(h-len(head), 0))
}

// empty says why there are no links, and the key that changes that; "" while they are read.
func (m *Model) empty() (string, key.Binding) {
	s := &m.snapshot
	switch {
	case s.at.IsZero() || s.page.Searching:
		return "", key.Binding{}
	case s.text != "":
		return "No link matches.", ui.ClearFilter
	}
	return "No links have been created here yet.", ui.Bind("n", "new link")
}

// pane is a link beside the list or below it.
func (m *Model) pane(i, w, h int) []string {
	l, read := m.row(i)
	switch {
	case !read:
		return nil
	case m.panes.Beside():
		return withCode(m.report(l).Pane(m.Theme, w, h), m.code(l), w, h)
	}
	note := ""
	if l.CreatedLink != nil { // there are too few lines for one of its own
		note = "can be paid " + present.Uses(*l.CreatedLink, l.Paid > 0)
	}
	return m.report(l).Preview(m.Theme, note, w, h)
}

// code is the QR code of a link that may be handed out: nobody scans one that must be read first.
func (m *Model) code(l journal.LinkRecord) (lines []string) {
	if l.CreatedLink == nil || l.MustBeRead() {
		return nil
	}
	lines, _ = m.Theme.QR(l.CreatedLink.Page.String()).Beside()
	return lines
}

// withCode puts a QR code below what a pane says, where it has room for all of it.
func withCode(pane, code []string, w, h int) []string {
	for len(pane) > 0 && ansi.Strip(pane[len(pane)-1]) == "" {
		pane = pane[:len(pane)-1]
	}
	if len(code) == 0 || ui.Width(code[0]) > w || len(pane)+1+len(code) > h {
		return pane
	}
	return append(append(pane, ""), code...)
}

// report returns what is known of a link, or of the attempt to create it.
func (m *Model) report(l journal.LinkRecord) report.Report {
	r := report.OfLink(l, m.Scope.Now())
	if l.CreatedLink == nil {
		r.Says = append(r.Says, report.Words{Text: "Press enter to resolve it."})
	}
	return r
}
