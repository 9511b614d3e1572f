package transactions

import (
	tea "charm.land/bubbletea/v2"

	"paydesk/screens/detail"
	"paydesk/screens/present"
	"paydesk/ui"
)

// ask asks a question over the list; title names it behind that of the list. What its no does is to show the list as it was.
func (m *Model) ask(title string, q ui.Question, yes func() tea.Cmd) tea.Cmd {
	return detail.Ask(&m.Body, detail.Question{Question: q, Title: title, Do: yes})
}

// askForMore asks before a page is read after as many as nobody reads by turning pages: a key may be stuck, or the
// service may make up pages.
func (m *Model) askForMore(n int) tea.Cmd {
	read := present.Thousands(len(m.cache.hashes))
	return m.ask("More pages", ui.Question{
		Title: "Read more than " + read + " pages?",
		Lines: []string{
			read + " pages were read one by one since the list was last read from its beginning.",
			"Page " + present.Thousands(n) + " is next. After another " + present.Thousands(maxPages) + " pages this question comes again.",
		},
		Yes: "Read on", No: "Stay here",
	}, func() tea.Cmd {
		m.cache.limit += maxPages
		return m.goToPage(n)
	})
}
