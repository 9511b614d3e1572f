package transactions

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/ui"
)

// A question stands over the list. What its no does is to show the list as it was.
type question struct {
	ui.Body
	confirm *ui.Confirm
	title   string
	yes     func() tea.Cmd
}

// ask asks a question; title names it behind that of the list.
func (m *Model) ask(title string, q ui.Question, yes func() tea.Cmd) tea.Cmd {
	return nav.Open(nav.Over{Screen: &question{ui.Body{Theme: m.Theme}, ui.NewConfirm(m.Theme, q), title, yes}})
}

func (q *question) Init(s ui.Scope) tea.Cmd {
	q.Scope = s
	return q.confirm.Init(s)
}

func (q *question) Update(msg tea.Msg) tea.Cmd {
	return q.confirm.Answer(msg, func() tea.Cmd { return tea.Batch(q.yes(), nav.Pop) }, func() tea.Cmd { return nav.Pop })
}

func (q *question) View() (string, *tea.Cursor) { return q.confirm.View(q.W, q.H) }
func (q *question) Keys() []key.Binding         { return q.confirm.Keys() }
func (q *question) Title() string               { return q.title }
func (q *question) Typing() bool                { return q.confirm.Typing() }

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
