package transactions

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/screens/present"
	"paydesk/screens/report"
	"paydesk/ui"
)

// View implements [ui.Screen].
func (m *Model) View() (string, *tea.Cursor) {
	if m.W < 1 || m.H < 1 {
		return "", nil
	}
	w, h := m.panes.ListSize()
	lines, cursor := m.head()
	switch {
	case m.rows.Len() > 0:
		lines = append(lines, m.table.View())
	case m.long != nil:
		lines = append(lines, m.longEmpty(w, h-len(lines))...)
	case m.shown != nil:
		words, k := m.empty()
		if m.shown.number == 1 && !m.filter.Active() && len(lines) < m.H {
			return ui.Lines(m.W, m.H, append(lines, m.Theme.Invite(words, k, m.W, m.H-len(lines))...)...), cursor
		}
		lines = append(lines, m.Theme.Invite(words, k, w, h-len(lines))...)
	}
	lines = append(lines, m.foot()...)
	return m.panes.View(ui.Lines(w, h, lines...), m.side), cursor
}

// head is what is above the table: first the position.
func (m *Model) head() ([]string, *tea.Cursor) {
	if m.long != nil {
		return m.longHead()
	}
	w, h := m.panes.ListSize()
	if m.shown == nil && m.pending > 0 {
		return ui.Indented(m.waitLines()), nil
	}
	lines := []string{indent + m.position()}
	switch {
	case m.goTo != nil:
		return m.goTo.form.Under(lines, w, h)
	case m.filter.Active():
		lines, cursor := m.filterLines(append(lines, indent+m.found()), w, h)
		return append(lines, ui.Indented(m.newsLines())...), cursor
	}
	if news := m.newsLines(); len(news) > 0 {
		return append(lines, ui.Indented(news)...), nil
	}
	return append(lines, ""), nil
}

// filterLines adds the filter to the lines above the list.
func (m *Model) filterLines(lines []string, w, h int) ([]string, *tea.Cursor) {
	lines, cursor := m.filter.View(lines, w, h)
	if !m.filter.Typing {
		lines[len(lines)-1] = indent + lines[len(lines)-1]
	}
	return lines, cursor
}

// position is the part shown: "Page x of y · rows a–b of n", or the pages that a filter searches.
func (m *Model) position() string {
	words := ""
	switch {
	case m.shown == nil:
		return "Nothing loaded yet."
	case m.filter.Active():
		words = m.searchedPages() + " · "
	default:
		words = m.pageOf() + " · " + m.rowsOf() + " · "
	}
	return words + m.Theme.Muted.Render("as of "+m.asOf())
}

// asOf is when the rows shown were received.
func (m *Model) asOf() string {
	if !m.filter.Active() || len(m.cache.pages) == 0 {
		return present.Clock(m.shown.at)
	}
	oldest, newest := m.cache.age()
	from, to := present.Clock(oldest), present.Clock(newest)
	if from == to {
		return from
	}
	return from + "–" + to
}

// pageOf is the page and the number of pages. A service that reports fewer pages than it serves is
// not believed.
func (m *Model) pageOf() string {
	page := "Page " + present.Thousands(m.shown.number)
	if n, ok := m.cache.count(); ok {
		return page + " of " + present.Thousands(max(n, m.shown.number))
	}
	return page + ", page count unknown"
}

// rowsOf is the rows on the page and the total, which is marked as reported where the page
// contradicts it.
func (m *Model) rowsOf() string {
	s := m.shown
	first, n := s.firstRow(), len(s.Rows)
	rows := "no rows"
	if n > 0 {
		rows = "rows " + present.Thousands(first+1) + "–" + present.Thousands(first+n)
	}
	switch {
	case !m.cache.latest.HasMeta:
		return rows + " of an unknown total"
	case m.cache.latest.Meta.Total < first+n:
		return rows + ", " + present.Thousands(m.cache.latest.Meta.Total) + " reported"
	}
	return rows + " of " + present.Thousands(m.cache.latest.Meta.Total)
}

// newsLines are the wait for a page, the problem, or what is odd; none when nothing is.
func (m *Model) newsLines() []string {
	switch {
	case m.pending > 0:
		return m.waitLines()
	case m.problem != nil:
		return m.problemLines()
	case m.note != "":
		return m.Theme.MarkLines(ui.ToneAct, m.note, m.words())
	}
	return m.blindLines()
}

// waitLines are the wait for the pending page. Where nothing is shown yet, they name the key that ends it.
func (m *Model) waitLines() []string {
	what, wait := "Reading page "+present.Thousands(m.pending), m.call.Wait()
	if wait == nil {
		wait = m.prefetchCall.Wait()
	}
	if n := len(m.reread) - 1; n > 0 {
		what += ", then " + present.Thousands(n) + " more"
	}
	if m.shown == nil {
		what = "Reading the transactions"
	}
	lines := m.Theme.WaitLines(wait, what, m.words())
	if m.shown == nil {
		lines = append(lines, m.Theme.Muted.Render(ui.StopsWaiting))
	}
	return lines
}

// maxDetail are the lines of the service's own words above the rows.
const maxDetail = 4

// problemLines are the error of the last request, and how old the rows shown are.
func (m *Model) problemLines() []string {
	t := m.problem
	words := t.What + " " + t.Next
	if m.shown != nil {
		words += " Showing data from " + m.asOf() + "."
	}
	lines := m.Theme.ErrorLines(words, m.words())
	return append(lines, t.DetailLines(m.Theme, m.words(), maxDetail)...)
}

// words is the width of the words above the list and below it, which begin where its rows do.
func (m *Model) words() int {
	w, _ := m.panes.ListSize()
	return max(w-len(indent), 1)
}

// empty says why there are no rows, and the key that may change that.
func (m *Model) empty() (string, key.Binding) {
	switch {
	case m.filter.Active():
		return "No loaded transaction matches.", ui.ClearFilter
	case m.cache.latest.HasMeta && m.cache.latest.Meta.Total == 0:
		return "There are no transactions.", ui.Bind("r", "reload")
	}
	return "This page has no rows.", ui.Bind("{", "first page")
}

// foot is where a file was written, or how many of the rows in the list have which status, and what a mark means that is in it.
func (m *Model) foot() []string {
	switch {
	case m.rows.Len() == 0:
		return nil
	case m.result.words != "":
		return m.resultLines()
	case m.long != nil:
		return m.longFoot()
	}
	words := ""
	for _, c := range m.counts() {
		words += m.Theme.Mark(c.tone, present.Thousands(c.n)) + "  "
	}
	words += m.Theme.Muted.Render(m.countedRows())
	if index(m.rows, func(r api.Transaction) bool { return !r.Known }) >= 0 {
		return ui.Indented([]string{words, m.Theme.Muted.Render(report.RawAmounts)})
	}
	if note := m.Theme.Muted.Render(" · an ID may not be a payment reference: l looks it up"); ui.Width(words+note) <= m.words() {
		words += note
	}
	return ui.Indented([]string{words})
}

// layout gives the table the height that the rest leaves. Where there is no room for the IDs, that of the marked row
// is below the list.
func (m *Model) layout() {
	m.panes.Least(0)
	if m.W < m.listWidth() {
		m.panes.Least(1)
	}
	head, _ := m.head()
	w, h := m.panes.ListSize()
	m.table.Resize(w, max(h-len(head)-len(m.foot()), 0))
}
