// Package transactions browses the transactions of the account, page by page.
//
// A page is requested when a person turns to it, and the one after it ahead of time. The
// service's numbering of its pages is not trusted: pagecache.go decides for each response
// whether it is shown, whether there are fewer pages now, or whether paging ends there, so that
// there is at most one request more than there are pages.
//
// A scan reads the whole list, also while other screens are open (scan.go). What it has read is one long list in place
// of the pages: longlist.go moves in it, find.go searches and sorts it, scanview.go and verdict.go say how far the scan
// is and how far it can be trusted, and located.go reads the page of one of its rows again.
//
// paging.go requests pages, pane.go says what a row is beside the list or below it, mismatches.go marks the payments about which an answer differed, onward.go moves the selection past the ends of one, filter.go searches the loaded ones, and detail.go
// shows one row. parts.go says where that is which is done with the list besides reading it.
package transactions

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/api/listing"
	"paydesk/screens/present"
	"paydesk/screens/report"
	"paydesk/ui"
)

// A Lister returns one page of the transactions.
type Lister interface {
	Transactions(ctx context.Context, page, perPage int) (api.Page, error)
	listing.Differing
}

// response is a page and the number that was requested.
type response struct {
	page       api.Page
	number     int
	mismatches map[api.Reference]ledger.Mismatch
	unread     error // why the journal could not be read for them
}

// Options of New.
type Options struct {
	// Scans reads the whole list; nil where only pages can be read.
	Scans        Scanner
	Memory       Memory           // keeps what is scanned; nil where nothing does
	NoMemory     string           // why not
	Payments     listing.Payments // those that were made from here; nil where the journal is off
	ExportFolder func() string    // the default folder for files; it may read the file system
	// Made returns the attempt that made a payment, or [ledger.ErrNotFound].
	Made func(context.Context, api.Reference) (ledger.Attempt, error)
	// Pinned reports whether a payment is pinned to home; nil for none.
	Pinned func(api.Reference) bool
}

// A Model is the screen.
type Model struct {
	ui.Body
	keeping
	lister  Lister
	options Options

	cache     *pageCache
	reloading *pageCache // replaces cache with its first response, or after reread; nil unless reloading
	reread    []int      // pages that reloading waits for, in order, the pending one first
	shown     *page      // the page on the screen; nil before the first response
	note      string     // what is odd about it, or about the last response
	shrunk    bool       // a response on the way to the pending page reported fewer pages
	problem   *present.Problem
	pending   int    // the page requested by a person, 0 for none
	selectRow int    // the row to select on it, -1 for none
	onward    int    // 1 or -1 when the selection goes on to it past the last or the first row, else 0
	rows      source // in the table
	table     *ui.Table
	panes     *ui.Panes
	sized     ui.Lull // of the window

	call         ui.Call[response] // for the pending page
	prefetchCall ui.Call[response] // for the page after the one shown
	prefetching  int               // the page that prefetchCall requested

	mismatches   map[api.Reference]ledger.Mismatch // of payments whose ID is their reference
	mismatchCall ui.Call[map[api.Reference]ledger.Mismatch]
	unread       map[api.Reference]bool // payments of which the journal could not be read
	blind        bool                   // it could not be read when it was last asked
	made         made                   // about the row in the pane
	madeCall     ui.Call[made]

	filter     *ui.Filter
	searched   int             // rows, by the filter
	unfiltered api.Transaction // was marked before it
	goTo       *prompt         // nil unless the number of a page or a row is being typed
	long       *longList       // all rows that a scan has read; nil while pages are listed
	scanCall   ui.Call[listing.State]
	opened     *openRow // nil unless a row is open, on its own screen
	folder     string   // where the last file was written
	result     result   // of the last export, until the next key
	totals     *totals
}

// New is the screen.
func New(t *ui.Theme, l Lister, o Options) *Model {
	table := ui.NewTable(t, report.Heads(report.Drawn(report.Transactions(false), report.Screen), report.Screen)...)
	m := &Model{
		Body: ui.Body{Theme: t}, lister: l, options: o, rows: loadedRows(nil), cache: newPageCache(api.DefaultPerPage),
		table: table, panes: ui.NewPanes(t, table),
		mismatches: map[api.Reference]ledger.Mismatch{}, unread: map[api.Reference]bool{},
		filter: ui.NewQuery(t, "Filter", filterHelp, present.ReadQuery(listing.Language())), selectRow: -1,
	}
	m.panes.OnFollow(m.readMade)
	m.totals = &totals{Body: ui.Body{Theme: t}, screen: m}
	return m
}

// Init implements [ui.Screen].
func (m *Model) Init(s ui.Scope) tea.Cmd {
	m.Scope = s
	m.cache = newPageCache(m.fitting())
	if m.options.Scans != nil && m.options.Scans.State().Phase != listing.Idle {
		return tea.Batch(m.openLong(), m.followKept(-1))
	}
	return tea.Batch(m.goToPage(1), m.followKept(-1))
}

// Update implements [ui.Screen]. Whatever moves the mark, what is known of its row is read.
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	cmd := m.update(msg)
	return tea.Batch(cmd, m.readMade(), m.countAgain())
}

func (m *Model) update(msg tea.Msg) tea.Cmd {
	if _, is := msg.(resized); is {
		return m.refit()
	}
	m.endResult(msg)
	switch {
	case m.goTo != nil:
		return m.updatePrompt(msg)
	case m.filter.Typing:
		return m.updateFilter(msg)
	}
	if m.long != nil && m.long.find.stale {
		return m.look(false)
	}
	k, ok := msg.(tea.KeyPressMsg)
	switch {
	case !ok:
		return nil
	case m.long != nil:
		return m.updateLong(k)
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
	m.totals.layout()
}

// Title implements [ui.Screen].
func (m *Model) Title() string { return "Transactions" }

// Typing implements [ui.Screen].
func (m *Model) Typing() bool {
	return m.goTo != nil || m.filter.Typing
}

// Back closes what is open over the list: a row, the prompt, the filter.
func (m *Model) Back() bool {
	switch {
	case m.goTo != nil:
		m.goTo = nil
	case m.totals.beside && m.panes.Beside():
		m.totals.beside = false
	case m.long != nil && m.long.find.facets.Focused() != nil:
		m.long.find.facets.Leave()
	case m.filter.Active() && m.long != nil:
		m.filter.Clear()
		m.long.find.stale = true // looked for with the key that cleared it
	case m.filter.Active():
		found, _ := m.selected()
		m.filter.Clear()
		m.fill()
		m.mark(m.unfiltered)
		m.mark(found)
	default:
		return false
	}
	m.News = ui.Notice{}
	m.layout()
	return true
}
