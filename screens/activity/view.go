package activity

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"paydesk/api/journal"
	"paydesk/screens/present"
	"paydesk/ui"
)

// View implements [ui.Screen].
func (m *Model) View() (string, *tea.Cursor) {
	switch {
	case m.W < 1 || m.H < 1:
		return "", nil
	case m.disabled():
		return ui.Lines(m.W, m.H, m.disabledLines()...), nil
	case m.purge != nil:
		return m.viewPurge()
	case m.export != nil:
		return m.viewExport()
	case m.detail != nil:
		return m.detailView(), nil
	}
	lines, cursor := m.head()
	switch {
	case m.list.window.Count > 0:
		lines = append(lines, m.list.table.View())
	case m.list.loaded && !m.list.window.Searching:
		lines = append(lines, m.emptyLines()...)
	}
	return ui.Lines(m.W, m.H, lines...), cursor
}

// disabledLines say what a profile without a journal loses, not only that it has none.
func (m *Model) disabledLines() []string {
	words := ui.Wrap("This profile has journal = \"off\" in the configuration, so nothing is recorded. A payment whose response is lost leaves nothing to look up here.", m.W)
	return append([]string{m.Theme.Strong.Render("The journal is off for this profile"), ""}, words...)
}

// head is the position, the filter, and the latest result.
func (m *Model) head() ([]string, *tea.Cursor) {
	lines := []string{m.position()}
	var cursor *tea.Cursor
	if m.filter.text.Typing {
		lines, cursor = m.filter.text.View(lines, m.W, m.H)
	} else {
		lines = append(lines, m.filterLine())
	}
	return append(lines, m.newsLines()...), cursor
}

// position is the number of attempts: "1,204 attempts of this service, newest first · as of 15:04:05".
func (m *Model) position() string {
	l := &m.list
	if !l.loaded {
		if l.problem != "" {
			return "Nothing loaded yet."
		}
		return m.Theme.WaitLines(m.list.call.Wait(), "Reading the journal", m.W)[0]
	}
	of := " of all services"
	if l.window.criteria.service != (journal.Destination{}) {
		of = " of this service"
	}
	of = m.count() + of
	if l.window.Searching {
		of = "Searching… " + of + " so far"
	}
	read := m.Theme.Muted.Render(" · as of " + present.Clock(l.window.at))
	if all := of + ", newest first" + read; ansi.StringWidth(all) <= m.W {
		return all
	}
	return of + read
}

// count is how many attempts were found.
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
	if value := m.filter.text.Value(); value != "" {
		text = m.Theme.Strong.Render("“"+present.Plain(value)+"”") + " "
	}
	return m.filter.facets.View(text, m.W)
}

// newsLines are the latest problem or result; one blank line when there is none.
func (m *Model) newsLines() []string {
	switch {
	case m.list.problem != "":
		return m.Theme.ErrorLines(m.list.problem+" Press r to retry.", m.W)
	case m.result != "":
		return ui.Wrap(m.result, m.W)
	}
	return []string{""}
}

// emptyLines explain why there are no rows.
func (m *Model) emptyLines() []string {
	if m.list.window.criteria.describe() != "" {
		return []string{"No attempts match. esc clears the filter."}
	}
	more := "Payments, links and finalizations are listed here once sent."
	if m.list.window.criteria.service != (journal.Destination{}) {
		more += " tab reaches the filter, where → shows all services."
	}
	return append([]string{m.Theme.Strong.Render("Nothing has been sent yet")}, ui.Wrap(more, m.W)...)
}

// detailView is the open attempt, and the position where it scrolls.
func (m *Model) detailView() string {
	lines := m.detailResult()
	lines = append(lines, strings.Split(m.detail.scroll.View(), "\n")...)
	if m.detail.scroll.Overflows() {
		lines = append(lines, m.Theme.Muted.Render(m.detail.scroll.Position()))
	}
	return ui.Lines(m.W, m.H, lines...)
}

// detailResult is above the attempt, where it is visible however far the attempt is scrolled.
func (m *Model) detailResult() []string {
	if m.result == "" {
		return nil
	}
	return append(ui.Wrap(m.result, m.W), "")
}

// layout gives the table, or the detail, the height that the rest leaves.
func (m *Model) layout() {
	head, _ := m.head()
	m.list.table.Resize(m.W, max(m.H-len(head), 0))
	if m.detail != nil {
		m.layoutDetail(max(m.H-len(m.detailResult()), 0))
	}
}
