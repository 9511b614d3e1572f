package transactions

import (
	"fmt"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"paydesk/screens/present"
	"paydesk/ui"
)

// updateFilter handles input while the filter is typed. The filter sends no request: it searches
// the loaded rows.
func (m *Model) updateFilter(msg tea.Msg) tea.Cmd {
	changed := m.filter.Update(msg, m.table)
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
	if m.shown == nil {
		return m.Notify("Nothing loaded yet.")
	}
	m.filter.Typing = true
	m.fill()
	return nil
}

// find fills the table with the loaded rows that contain the text, in any letter case.
func (m *Model) find() {
	rows, search := m.cache.loaded()
	text := strings.ToLower(m.filter.Value())
	m.rows, m.searched = nil, len(rows)
	for i, row := range rows {
		if strings.Contains(search[i], text) {
			m.rows = append(m.rows, row)
		}
	}
}

// found is how many rows were found, and in how many.
func (m *Model) found() string {
	words := fmt.Sprintf("%s found in %s loaded rows", present.Thousands(len(m.rows)), present.Thousands(m.searched))
	if m.cache.latest.HasMeta {
		return words + ", " + present.Thousands(m.cache.latest.Meta.Total) + " in all"
	}
	return words + ", total unknown"
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

// A prompt asks for a page number.
type prompt struct {
	form  *ui.Form
	field *ui.TextField
}

// askPage asks for a page number. It is checked against what the latest response said of the number
// of pages, so that a page that cannot exist is not requested.
func (m *Model) askPage() tea.Cmd {
	if m.shown == nil || m.filter.Active() || m.reloading != nil {
		return m.step(0)
	}
	c := m.cache
	f := ui.NewTextField(m.Theme, "Go to page", "a number from 1 to "+strconv.Itoa(c.last()), ui.Required(), ui.Limit(9),
		ui.Checked(func(s string) string {
			n, err := strconv.ParseUint(s, 10, 31)
			if err != nil || n == 0 {
				return "Enter a whole number from 1."
			}
			return c.whyNot(int(n))
		}))
	m.goTo = &prompt{ui.NewForm(m.Theme, f), f}
	m.layout()
	return nil
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
	m.goTo, m.onward = nil, 0
	m.layout()
	return m.goToPage(n)
}
