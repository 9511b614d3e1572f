package transactions

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/screens/present"
	"paydesk/ui"
)

// View implements [ui.Screen].
func (m *Model) View() (string, *tea.Cursor) {
	switch {
	case m.W < 1 || m.H < 1:
		return "", nil
	case m.detail != nil:
		return m.viewDetail(), nil
	}
	lines, cursor := m.head()
	switch {
	case len(m.rows) > 0:
		lines = append(lines, m.table.View())
	case m.shown != nil:
		lines = append(lines, m.emptyText())
	}
	lines = append(lines, m.foot()...)
	return ui.Lines(m.W, m.H, lines...), cursor
}

// head is what is above the table: first the position.
func (m *Model) head() ([]string, *tea.Cursor) {
	lines := []string{m.position()}
	switch {
	case m.goTo != nil:
		return m.goTo.form.Under(lines, m.W, m.H)
	case m.filter.Active():
		return m.filter.View(append(lines, m.filterPosition()), m.W, m.H)
	}
	return append(lines, m.newsLines()...), nil
}

// position is the part shown: "Page x of y · rows a–b of n".
func (m *Model) position() string {
	s := m.shown
	if s == nil {
		if m.pending > 0 {
			return "Reading the first page…"
		}
		return "Nothing loaded yet."
	}
	words := m.pageOf() + " · " + m.rowsOf() + " · "
	if m.pending > 0 {
		return words + "reading page " + present.Thousands(m.pending) + "…"
	}
	return words + m.Theme.Muted.Render("as of "+present.Clock(s.at))
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
	first, n := m.firstRow(s), len(s.Rows)
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

// newsLines are the problem, or what is odd; one blank line when nothing is.
func (m *Model) newsLines() []string {
	switch {
	case m.problem != nil:
		return m.problemLines()
	case m.note != "":
		return m.Theme.MarkLines(ui.ToneAct, m.note, m.W)
	}
	return []string{""}
}

// problemLines are the error of the last request, and how old the rows shown are.
func (m *Model) problemLines() []string {
	t := m.problem
	next := strings.TrimSpace(strings.TrimPrefix(t.Next, "Try again.")) // the key says so
	words := strings.TrimSpace(t.What+" "+next) + " Press r to retry."
	if m.shown != nil {
		words += " Showing data from " + present.Clock(m.shown.at) + "."
	}
	lines := m.Theme.ErrorLines(words, m.W)
	if t.Detail != "" {
		lines = append(lines, ui.Fit(m.Theme.Muted.Render("│ ")+t.Detail, m.W))
	}
	return lines
}

// emptyText says why there are no rows.
func (m *Model) emptyText() string {
	switch {
	case m.filter.Active():
		return "No loaded transaction matches."
	case m.cache.latest.HasMeta && m.cache.latest.Meta.Total == 0:
		return "There are no transactions."
	}
	return "This page has no rows."
}

// foot explains the mark of raw amounts where there is one.
func (m *Model) foot() []string {
	if !slices.ContainsFunc(m.rows, func(r api.Row) bool { return !r.Known }) {
		return nil
	}
	return []string{m.Theme.Muted.Render(rawMark + " raw minor units: the amount in major units is unknown")}
}

// layout gives the table the height that the rest leaves.
func (m *Model) layout() {
	head, _ := m.head()
	m.table.Resize(m.W, max(m.H-len(head)-len(m.foot()), 0))
}
