// Package transactions browses the paginated list.
//
// A page is asked for when somebody turns to it, and the one after it ahead of time. What the
// service says of its pages is not trusted (R54): book.go decides for each
// answer whether it is shown, whether the list has become shorter, or whether the
// walk ends there; so the questions asked are never more than the pages and one.
//
// turn.go asks for pages, filter.go searches what is loaded, detail.go shows one row,
// prompt.go reads a page number.
package transactions

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/screens/present"
	"paydesk/ui"
)

// A Lister gives one page of the list.
type Lister interface {
	Transactions(ctx context.Context, page, perPage int) (api.Page, error)
}

// response is an answer, which page it was asked for, and when it came.
type response struct {
	page   api.Page
	number int
	at     time.Time
}

// A Model is the screen.
type Model struct {
	theme  *ui.Theme
	lister Lister
	scope  ui.Scope
	w, h   int
	notice ui.Notice

	cache     *pageCache
	reloading *pageCache // takes the place of book with its first answer; nil otherwise
	shown     *page      // the page on the screen; nil before the first answer
	note      string     // what is odd about it, or about the last turn
	shrunk    bool       // the list was found shorter on the way to the page waited for
	problem   *present.Problem
	pending   int       // the page waited for, 0 for none
	selectRow int       // the row to select on it, -1 for none
	rows      []api.Row // in the table
	table     *ui.Table

	call         ui.Call[response] // the page somebody waits for
	prefetchCall ui.Call[response] // the next page
	prefetching  int               // the page asked for ahead

	filter filter
	goTo   *prompt // nil unless a page number is being typed
	detail *detail // nil unless a row is open
}

var _ ui.Screen = (*Model)(nil)

// New browses the list.
func New(t *ui.Theme, l Lister) *Model {
	return &Model{
		theme: t, lister: l, cache: newPageCache(api.DefaultPerPage), table: ui.NewTable(t, columns()...),
		filter: newFilter(t), selectRow: -1,
	}
}

// Init implements [ui.Screen].
func (m *Model) Init(s ui.Scope) tea.Cmd {
	m.scope = s
	return m.goToPage(1)
}

// Update implements [ui.Screen].
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	if a, ok := m.call.Receive(msg); ok {
		return m.receive(a)
	}
	if a, ok := m.prefetchCall.Receive(msg); ok {
		return m.receive(a)
	}
	m.notice = ui.Notice{}
	switch {
	case m.goTo != nil:
		return m.updatePrompt(msg)
	case m.filter.typing:
		return m.updateFilter(msg)
	}
	k, ok := msg.(tea.KeyPressMsg)
	switch {
	case !ok:
		return nil
	case m.detail != nil:
		return m.detailKey(k)
	}
	return m.key(k)
}

// Resize implements [ui.Screen].
func (m *Model) Resize(w, h int) {
	m.w, m.h = max(w, 0), max(h, 0)
	m.layout()
	if m.detail != nil {
		m.detail.resize(m.theme, m.w, m.h)
	}
}

// Title implements [ui.Screen].
func (m *Model) Title() string {
	if m.detail != nil {
		return "Transaction"
	}
	return "Transactions"
}

// Typing implements [ui.Screen].
func (m *Model) Typing() bool { return m.goTo != nil || m.filter.typing }

// Notice is passing news.
func (m *Model) Notice() ui.Notice { return m.notice }

// Back closes what lies over the list: a row, the prompt, the filter.
func (m *Model) Back() bool {
	switch {
	case m.detail != nil:
		m.detail = nil
	case m.goTo != nil:
		m.goTo = nil
	case m.filter.active():
		m.filter.clear()
		m.fill()
	default:
		return false
	}
	m.notice = ui.Notice{}
	m.layout()
	return true
}

// say is a notice about something that was done or cannot be.
func (m *Model) say(tone ui.Tone, text string) tea.Cmd {
	m.notice = ui.Notice{Tone: tone, Text: text}
	return nil
}
