package transactions

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"paydesk/screens/present"
	"paydesk/ui"
)

// View implements [ui.Screen].
func (m *Model) View() (string, *tea.Cursor) {
	switch {
	case m.w < 1 || m.h < 1:
		return "", nil
	case m.detail != nil:
		return m.detail.view(m.theme), nil
	}
	lines, cursor := m.head()
	switch {
	case len(m.rows) > 0:
		lines = append(lines, m.table.View())
	case m.shown != nil:
		lines = append(lines, m.emptyText())
	}
	lines = append(lines, m.foot()...)
	return ui.Lines(m.w, m.h, lines...), cursor
}

// head is what is above the table: first the position.
func (m *Model) head() ([]string, *tea.Cursor) {
	lines := []string{m.position()}
	switch {
	case m.goTo != nil:
		return m.under(lines, m.goTo.form)
	case m.filter.active():
		lines = append(lines, m.filterPosition())
		if m.filter.typing {
			return m.under(lines, m.filter.form)
		}
		return append(lines, m.theme.Muted.Render("Filter ")+m.filter.field.Value()), nil
	}
	return append(lines, m.newsLines()...), nil
}

const formLines = 3 // a field, and two lines for its error

// under puts a form below lines.
func (m *Model) under(lines []string, f *ui.Form) ([]string, *tea.Cursor) {
	body, cursor := f.View(m.w, min(formLines, max(m.h-len(lines), 0)))
	if cursor != nil {
		cursor.Y += len(lines)
	}
	form := strings.Split(body, "\n")
	for len(form) < formLines-1 {
		form = append(form, "")
	}
	return append(lines, form...), cursor
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
	return words + m.theme.Muted.Render("as of "+present.Clock(s.at))
}

func (m *Model) pageOf() string {
	page := "Page " + present.Thousands(m.shown.number)
	if n, ok := m.cache.count(); ok {
		return page + " of " + present.Thousands(max(n, m.shown.number))
	}
	return page + ", page count unknown"
}

func (m *Model) rowsOf() string {
	s := m.shown
	first, n := m.firstRow(s), len(s.rows)
	rows := "no rows"
	if n > 0 {
		rows = "rows " + present.Thousands(first+1) + "–" + present.Thousands(first+n)
	}
	switch {
	case !m.cache.usable:
		return rows + " of an unknown total"
	case m.cache.meta.Total < first+n:
		return rows + ", " + present.Thousands(m.cache.meta.Total) + " reported"
	}
	return rows + " of " + present.Thousands(m.cache.meta.Total)
}

// newsLines are the problem, or what is odd; one blank line when nothing is.
func (m *Model) newsLines() []string {
	switch {
	case m.problem != nil:
		return m.problemLines()
	case m.note != "":
		return m.oddLines()
	}
	return []string{""}
}

func (m *Model) oddLines() []string {
	var lines []string
	for i, l := range ui.Wrap(m.note, max(m.w-2, 1)) {
		if i == 0 {
			l = m.theme.Mark(ui.ToneAct, l)
		} else {
			l = "  " + l
		}
		lines = append(lines, l)
	}
	return lines
}

// problemLines are the error of the last request, and how old the rows shown are.
func (m *Model) problemLines() []string {
	t := m.problem
	next := strings.TrimSpace(strings.TrimPrefix(t.Next, "Try again.")) // the key says so
	words := strings.TrimSpace(t.What+" "+next) + " Press r to retry."
	if m.shown != nil {
		words += " Showing data from " + present.Clock(m.shown.at) + "."
	}
	var lines []string
	for _, l := range ui.Wrap(words, max(m.w-2, 1)) {
		lines = append(lines, m.theme.Error.Render("! "+l))
	}
	if t.Detail != "" {
		lines = append(lines, ui.Fit(m.theme.Muted.Render("│ ")+t.Detail, m.w))
	}
	return lines
}

// emptyText says why there are no rows.
func (m *Model) emptyText() string {
	switch {
	case m.filter.active():
		return "No loaded transaction matches."
	case m.cache.usable && m.cache.meta.Total == 0:
		return "There are no transactions."
	}
	return "This page has no rows."
}

// foot explains the mark of raw amounts where there is one.
func (m *Model) foot() []string {
	if !m.hasRaw() {
		return nil
	}
	return []string{m.theme.Muted.Render(rawMark + " raw minor units: the amount in major units is unknown")}
}

// layout gives the table the height that the rest leaves.
func (m *Model) layout() {
	head, _ := m.head()
	m.table.Resize(m.w, max(m.h-len(head)-len(m.foot()), 0))
}
