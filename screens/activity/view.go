package activity

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"paydesk/api/ledger"
	"paydesk/screens/present"
	"paydesk/ui"
)

// View implements [ui.Screen].
func (m *Model) View() (string, *tea.Cursor) {
	switch {
	case m.W < 1 || m.H < 1:
		return "", nil
	case m.purge != nil:
		return m.viewPurge()
	}
	lines, cursor := m.head()
	news := m.newsLines()
	switch {
	case m.list.window.Count > 0 && m.inPreview():
		return m.panes.View(strings.Join(append(lines, m.list.table.View()), "\n"), m.paneLines), cursor
	case m.list.window.Count > 0:
		lines = []string{m.panes.View(strings.Join(append(lines, m.list.table.View()), "\n"), m.paneLines)}
	case m.list.loaded && !m.list.window.Searching:
		lines = append(lines, m.invitation(m.H-len(lines)-len(news))...)
	}
	return ui.Lines(m.W, m.H, append(lines, news...)...), cursor
}

// head is the position and the filter: its line, or while it is typed its box.
func (m *Model) head() ([]string, *tea.Cursor) {
	lines := []string{m.position()}
	if !m.filter.text.Typing {
		return append(lines, m.filterLine()), nil
	}
	w, h := m.listSize()
	return m.filter.text.View(lines, w, h)
}

// Notice implements [ui.Noticer]. A search for a customer says whom it cannot find.
func (m *Model) Notice() ui.Notice {
	switch {
	case m.News.Text != "" || m.purge != nil:
		return m.News
	case m.options.Off:
		return ui.Notice{Text: "Journal off: what is listed here ends with this console."}
	case !m.filter.asksCustomer():
		return m.News
	}
	return ui.Notice{Text: "Only payments sent with it; very old ones as typed then."}
}

// listSize is the room of the list, with what is above it: all of it where there is nothing to list.
func (m *Model) listSize() (w, h int) {
	if m.list.window.Count == 0 {
		return m.W, m.H
	}
	return m.panes.ListSize()
}

// position is the number of attempts: "1,204 attempts of this service, newest first · as of 15:04:05".
func (m *Model) position() string {
	l := &m.list
	w, _ := m.listSize()
	if !l.loaded {
		if l.problem != "" {
			return "Nothing loaded yet."
		}
		return m.Theme.WaitLines(m.list.call.Wait(), "Reading the journal", m.W)[0]
	}
	of := " of all services"
	if l.window.criteria.service != (ledger.Destination{}) {
		of = " of this service"
	}
	of = m.count() + of
	if l.window.Searching {
		of = "Searching… " + of + " so far"
	}
	read := m.Theme.Muted.Render(" · as of " + present.Clock(l.window.at))
	if all := of + ", newest first" + read; ansi.StringWidth(all) <= w {
		return all
	}
	return of + read
}

// count returns how many attempts were found.
func (m *Model) count() string {
	w := &m.list.window
	if !w.Complete && !w.Searching {
		return present.Thousands(w.Count) + " or more attempts"
	}
	return present.Count(w.Count, "attempt", "attempts")
}

// filterLine is the filter on one line, to be changed there.
func (m *Model) filterLine() string {
	text := ""
	if rest := m.filter.rest(); rest != "" {
		text = m.Theme.Strong.Render("“"+present.Plain(rest)+"”") + " "
	}
	w, _ := m.listSize()
	return m.filter.facets.View(text, w)
}

// newsLines are the latest problem or result. They are below everything, or in place of the preview: there they move
// no row.
func (m *Model) newsLines() []string {
	switch {
	case m.list.problem != "":
		return m.Theme.ErrorLines(m.list.problem+" Press r to retry.", m.W)
	case m.result != "":
		return ui.Wrap(m.result, m.W)
	}
	return nil
}

// inPreview reports whether what there is to say of the selected row is below the list.
func (m *Model) inPreview() bool { return m.hasPane() && !m.panes.Beside() }

// invitation returns what there is instead of rows.
func (m *Model) invitation(h int) []string {
	if m.list.window.criteria.text != "" {
		words := "No attempts match the filter."
		if m.filter.query().Asks("") { // text, which may be a name
			words += " A customer's name is not kept: the whole e-mail or phone finds them."
		}
		return m.Theme.Invite(words, ui.ClearFilter, m.W, h)
	}
	words := "Nothing has been sent yet. Payments, links and finalizations are listed here once sent."
	if m.list.window.criteria.service != (ledger.Destination{}) {
		words += " tab reaches the filter, where → shows all services."
	}
	return m.Theme.Invite(words, ui.Bind("c", "collect a payment"), m.W, h)
}

// layout gives the table the height that the rest leaves.
func (m *Model) layout() {
	m.panes.Resize(m.W, m.H)
	if !m.inPreview() {
		m.panes.Resize(m.W, m.H-len(m.newsLines()))
	}
	head, _ := m.head()
	w, h := m.listSize()
	m.list.table.Resize(w, max(h-len(head), 0))
}
