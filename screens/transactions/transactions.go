// Package transactions browses the transactions of the account, page by page.
//
// A page is requested when a person turns to it, and the one after it ahead of time. The
// service's numbering of its pages is not trusted: pagecache.go decides for each response
// whether it is shown, whether there are fewer pages now, or whether paging ends there, so that
// there is at most one request more than there are pages.
//
// paging.go requests pages, pane.go says what a row is beside the list or below it, mismatches.go marks the payments about which an answer differed, onward.go moves the selection past the ends of one, filter.go searches the loaded ones, and detail.go
// shows one row.
package transactions

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/screens/present"
	"paydesk/ui"
)

// A Lister returns one page of the transactions.
type Lister interface {
	Transactions(ctx context.Context, page, perPage int) (api.Page, error)
	// Mismatches are those of the payments about which an answer is known to have differed.
	Mismatches(context.Context, []api.Reference) (map[api.Reference]journal.Mismatch, error)
}

// response is a page and the number that was requested.
type response struct {
	page       api.Page
	number     int
	mismatches map[api.Reference]journal.Mismatch
}

// A Model is the screen.
type Model struct {
	ui.Body
	lister Lister

	cache     *pageCache
	reloading *pageCache // replaces cache with its first response, or after reread; nil unless reloading
	reread    []int      // pages that reloading waits for, in order, the pending one first
	shown     *page      // the page on the screen; nil before the first response
	note      string     // what is odd about it, or about the last response
	shrunk    bool       // a response on the way to the pending page reported fewer pages
	problem   *present.Problem
	pending   int       // the page requested by a person, 0 for none
	selectRow int       // the row to select on it, -1 for none
	onward    int       // 1 or -1 when the selection goes on to it past the last or the first row, else 0
	rows      []api.Row // in the table
	table     *ui.Table
	panes     *ui.Panes
	sizes     int // how often the window has changed its size

	call         ui.Call[response] // for the pending page
	prefetchCall ui.Call[response] // for the page after the one shown
	prefetching  int               // the page that prefetchCall requested

	mismatches   map[api.Reference]journal.Mismatch // of payments whose ID is their reference
	mismatchCall ui.Call[map[api.Reference]journal.Mismatch]

	filter   *ui.Filter
	searched int     // rows, by the filter
	goTo     *prompt // nil unless a page number is being typed
	detail   *detail // nil unless a row is open
}

// New is the screen.
func New(t *ui.Theme, l Lister) *Model {
	table := ui.NewTable(t, columns()...)
	return &Model{
		Body: ui.Body{Theme: t}, lister: l, cache: newPageCache(api.DefaultPerPage),
		table: table, panes: ui.NewPanes(t, table, listWidth),
		mismatches: map[api.Reference]journal.Mismatch{},
		filter:     ui.NewFilter(t, "Filter", "ID, status, currency or amount, in the loaded pages"), selectRow: -1,
	}
}

// Init implements [ui.Screen].
func (m *Model) Init(s ui.Scope) tea.Cmd {
	m.Scope = s
	m.cache = newPageCache(m.fitting())
	return m.goToPage(1)
}

// Update implements [ui.Screen].
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	if size, is := msg.(resized); is {
		return m.refit(size)
	}
	m.News = ui.Notice{}
	switch {
	case m.goTo != nil:
		return m.updatePrompt(msg)
	case m.filter.Typing:
		return m.updateFilter(msg)
	}
	k, ok := msg.(tea.KeyPressMsg)
	switch {
	case !ok:
		return nil
	case m.detail != nil:
		if m.detail.object.Update(k) {
			return nil
		}
		return m.detailCommands().Press(k)
	case m.table.Beyond(k) != 0:
		return m.goOn(m.table.Beyond(k))
	}
	if follow, moved := m.panes.Update(m.Scope, k); moved {
		return follow
	}
	return m.commands().Press(k)
}

// Resize implements [ui.Screen].
func (m *Model) Resize(w, h int) {
	m.Body.Resize(w, h)
	m.panes.Resize(m.W, m.H)
	m.layout()
	if m.detail != nil {
		m.layoutDetail()
	}
}

// Title implements [ui.Screen].
func (m *Model) Title() string {
	if m.detail != nil {
		return ui.Inside("Transactions", "Transaction")
	}
	return "Transactions"
}

// Typing implements [ui.Screen].
func (m *Model) Typing() bool { return m.goTo != nil || m.filter.Typing }

// Back closes what is open over the list: a row, the prompt, the filter.
func (m *Model) Back() bool {
	switch {
	case m.detail != nil:
		m.detail = nil
	case m.goTo != nil:
		m.goTo = nil
	case m.filter.Active():
		m.filter.Clear()
		m.fill()
	default:
		return false
	}
	m.News = ui.Notice{}
	m.layout()
	return true
}
