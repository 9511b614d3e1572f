package transactions

import (
	"context"
	"fmt"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"paydesk/api/listing"
	"paydesk/screens/present"
	"paydesk/ui"
)

// filterHelp is what can be typed.
const filterHelp = "Words for all of which rows are looked for, such as failed gbp >100, status:failed,pending, id:5e62* or -successful."

// updateFilter handles input while the filter is typed. The filter sends no request: it searches
// the loaded rows.
func (m *Model) updateFilter(msg tea.Msg) tea.Cmd {
	changed := m.filter.Update(msg, m.table)
	if m.long != nil {
		return m.updateLongFilter(changed)
	}
	if changed || !m.filter.Typing {
		m.fill()
	}
	if changed {
		m.table.Select(0)
	}
	return nil
}

// typeFilter opens the line of the filter. Without a page there is nothing to search.
func (m *Model) typeFilter() tea.Cmd {
	if m.shown == nil && m.long == nil {
		return m.Notify("Nothing loaded yet.")
	}
	if !m.filter.Active() {
		m.unfiltered, _ = m.selected()
	}
	m.filter.Typing = true
	if m.long != nil {
		m.long.find.facets.Leave()
		m.layout()
		return nil
	}
	m.fill()
	return nil
}

// find fills the table with the loaded rows that the filter finds. They are so few that nothing waits for them.
func (m *Model) find() {
	rows, columns := m.cache.loaded()
	hits, _ := columns.Find(context.Background(), listing.Search{Query: m.query()})
	var found loadedRows
	for _, i := range hits {
		found = append(found, rows[i])
	}
	m.rows, m.searched = found, len(rows)
}

// found is how many rows were found, and in how many.
func (m *Model) found() string {
	words := fmt.Sprintf("%s found in %s loaded rows", present.Thousands(m.rows.Len()), present.Thousands(m.searched))
	switch meta := m.cache.latest.Meta; {
	case !m.cache.latest.HasMeta:
		words += ", total unknown"
	default:
		words += ", " + present.Thousands(meta.Total) + " in all"
		if meta.Total <= m.searched {
			return words
		}
	}
	if m.options.Scans == nil {
		return words
	}
	key := "space reads the rest"
	if m.filter.Typing {
		key = "space after enter reads the rest"
	}
	if line := words + " · " + key; ui.Width(line) <= m.words() {
		return line
	}
	return words
}

// searchedPages are the pages that the filter searches: "Pages 1–3 of 61", or how many where some
// between them are missing.
func (m *Model) searchedPages() string {
	n := m.cache.numbers()
	if len(n) == 0 { // the list has shrunk, and its last page is on the way
		return "No page loaded"
	}
	first, last := n[0], n[len(n)-1]
	words := "Page " + present.Thousands(first)
	switch {
	case last-first+1 > len(n):
		words = present.Thousands(len(n)) + " pages loaded"
	case len(n) > 1:
		words = "Pages " + present.Thousands(first) + "–" + present.Thousands(last)
	}
	if count, ok := m.cache.count(); ok {
		words += " of " + present.Thousands(max(count, last))
	}
	return words
}

// A prompt asks for the number of a page or a row.
type prompt struct {
	form  *ui.Form
	field *ui.TextField
	goTo  func(int) tea.Cmd
}

// askNumber asks for a number from 1 to last; why is why one from 1 cannot be gone to, "" where it can.
func (m *Model) askNumber(label string, last int, why func(int) string, goTo func(int) tea.Cmd) tea.Cmd {
	f := ui.NewTextField(m.Theme, label, "a number from 1 to "+strconv.Itoa(last), ui.Required(), ui.Limit(9),
		ui.Checked(func(s string) string {
			n, err := strconv.ParseUint(s, 10, 31)
			if err != nil || n == 0 {
				return "Enter a whole number from 1."
			}
			return why(int(n))
		}))
	m.goTo = &prompt{ui.NewForm(m.Theme, f), f, goTo}
	m.layout()
	return nil
}

// askPage asks for a page number. It is checked against what the latest response said of the number
// of pages, so that a page that cannot exist is not requested.
func (m *Model) askPage() tea.Cmd {
	if m.shown == nil || m.filter.Active() || m.reloading != nil {
		return m.step(0)
	}
	return m.askNumber("Go to page", m.cache.last(), m.cache.whyNot, func(n int) tea.Cmd {
		m.onward = 0
		return m.goToPage(n)
	})
}

// updatePrompt handles input at the prompt.
func (m *Model) updatePrompt(msg tea.Msg) tea.Cmd {
	if m.goTo.form.Update(msg) != ui.Submitted {
		return nil
	}
	n, err := strconv.Atoi(m.goTo.field.Value())
	if err != nil {
		return nil
	}
	to := m.goTo.goTo
	m.goTo = nil
	m.layout()
	return to(n)
}
