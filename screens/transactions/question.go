package transactions

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/screens/present"
	"paydesk/ui"
)

// A question is asked in place of the list. What its no does is to show the list as it was.
type question struct {
	*ui.Confirm
	screen *Model
	title  string
	yes    func() tea.Cmd
}

// ask asks a question; title names it behind that of the list.
func (m *Model) ask(title string, q ui.Question, yes func() tea.Cmd) tea.Cmd {
	asked := &question{ui.NewConfirm(m.Theme, q), m, title, yes}
	m.openOver(asked)
	return asked.Confirm.Init(m.Scope)
}

func (q *question) Update(msg tea.Msg) tea.Cmd {
	return q.Answer(msg, func() tea.Cmd {
		q.screen.close()
		return q.yes()
	}, func() tea.Cmd {
		q.screen.close()
		return nil
	})
}

func (q *question) View(w, h int) (string, *tea.Cursor) { return q.Confirm.View(w, h) }
func (q *question) Keys() []key.Binding                 { return q.Confirm.Keys() }
func (q *question) Title() string                       { return q.title }
func (q *question) Explain() []string                   { return nil }
func (q *question) Typing() bool                        { return q.Confirm.Typing() }
func (q *question) Close()                              {}

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
