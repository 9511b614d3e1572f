// Package transactions browses the transactions of the account, page by page, or as one list once a scan has read all of it.
//
// The list is a [list.Model]: what it lists is read by rows.go, from the pages that are loaded, and by find.go, from what a scan has
// read. A page is requested when a person turns to it, and the one after it ahead of time (paging.go). The service's numbering of its
// pages is not trusted: pagecache.go decides for each response whether it is shown, whether there are fewer pages now, or whether
// paging ends there, so that there is at most one request more than there are pages.
//
// A scan reads the whole list, also while other screens are open (scan.go); scanview.go says how far it is and how far it can be trusted,
// and located.go reads the page of one of its rows again. pane.go says what a row is, made.go what this console knows of it, and
// detail.go shows it alone. totals.go, copy.go and export.go are what is done with rows.
package transactions

import (
	"context"
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/api/listing"
	"paydesk/api/query"
	"paydesk/screens/list"
	"paydesk/screens/present"
	"paydesk/screens/report"
	"paydesk/ui"
)

// A Lister returns one page of the transactions.
type Lister interface {
	Transactions(ctx context.Context, page, perPage int) (api.Page, error)
	listing.Differing
}

// A Memory has the scans that were kept.
type Memory interface {
	// Compare puts beside rows that were kept what changed since an earlier scan.
	Compare(ctx context.Context, asked string, rows *listing.Rows) (*listing.Rows, listing.History, error)
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
	*list.Model[listing.Listed]
	paging
	lister  Lister
	options Options

	based    basis // what the rows listed are of
	searched int   // loaded rows, by the search
	blind    bool  // the journal could not be read for the rows listed
	made     made  // about the row in the pane, or the one that is open

	long     *longList // all rows that a scan has read; nil while pages are listed
	scanCall ui.Call[listing.State]
	sort     *ui.Facet
	found    hits // of them, as they are listed
	afresh   bool // they are to be looked for again

	opened *openRow // nil unless a row is open, on its own screen
	folder string   // where the last file was written
	totals *totals
}

// New is the screen.
func New(t *ui.Theme, l Lister, o Options) *Model {
	m := &Model{lister: l, options: o, paging: paging{cache: newPageCache(api.DefaultPerPage), selectRow: -1}}
	m.sort = &ui.Facet{Any: "sort", Values: []string{"currency, highest", "currency, lowest", "status", "currency"}}
	m.Model = list.New(t, list.Of[listing.Listed]{
		Title: "Transactions", One: "transaction", Many: "transactions",
		Columns:  func() []report.Column[listing.Listed] { return report.Transactions(m.asked() != "") },
		ID:       rowID,
		Read:     m.read,
		Language: func(func() query.DayNumber) *query.Language { return listing.Language() },
		Example:  "Words for all of which rows are looked for, such as failed gbp >100, status:failed,pending, id:5e62* or -successful.",
		Facets:   []list.Facet{{Facet: m.sort}}, Faceted: func() bool { return m.long != nil },
		Head: m.head, Foot: m.foot, None: m.none, Least: m.least,
		Pane: m.side, More: m.more, Commands: m.commands, Listed: m.listed, Beyond: m.goOn,
	})
	m.totals = &totals{screen: m}
	return m
}

// Init implements [ui.Screen].
func (m *Model) Init(s ui.Scope) tea.Cmd {
	m.Scope = s
	m.cache = newPageCache(m.fitting())
	if m.options.Scans != nil && m.options.Scans.State().Phase != listing.Idle {
		return m.openLong()
	}
	return m.goToPage(1)
}

// Update implements [ui.Screen].
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	if _, is := msg.(resized); is {
		return tea.Batch(m.refit(), m.relist())
	}
	cmd := m.Model.Update(msg)
	if _, pressed := msg.(tea.KeyPressMsg); pressed && m.blind && !m.Reading() { // it may be readable again
		cmd = tea.Batch(cmd, m.Refresh())
	}
	return tea.Batch(cmd, m.relist(), m.countAgain())
}

// Resized implements [ui.Resizer].
func (m *Model) Resized() tea.Cmd {
	return tea.Batch(m.Model.Resized(), m.sized.After(m.Scope, settled, resized{}))
}

// Back closes what is open over the list: the totals, the search.
func (m *Model) Back() bool {
	if !m.Typing() && m.totals.beside && m.Beside() {
		m.totals.beside = false
		m.EndNews()
		return true
	}
	return m.Model.Back()
}

// Pause implements [ui.Pauser]: the scan goes on, and is looked at when the screen is on top again.
func (m *Model) Pause() {
	m.Model.Pause()
	m.scanCall.Drop()
}

// Resume is called when the screen is on top again: a row may have been looked up meanwhile, or decided about, and the
// window may have another size.
func (m *Model) Resume() tea.Cmd {
	again := m.Model.Resume()
	switch s := m.options.Scans; {
	case m.long == nil && s != nil && s.State().Phase != listing.Idle: // it was begun on another screen
		return m.openLong()
	case m.long == nil:
		return tea.Batch(again, m.refit())
	}
	if m.found.beside = nil; listing.AsksLedger(m.Query()) { // a payment may have been made or decided about meanwhile
		m.afresh = true
		again = m.Stay()
	}
	return tea.Batch(again, m.followScan())
}

// side is what is beside the list, or below it: what there is to say of a row, or the totals.
func (m *Model) side(l listing.Listed, w, h int) []string {
	if m.totals.beside && m.Beside() {
		return m.totals.besideLines(w, h)
	}
	return m.pane(l, w, h)
}

// none says why there are no rows, and the key that may change that.
func (m *Model) none() (string, key.Binding) {
	switch {
	case m.long != nil:
		return m.noneScanned()
	case m.shown == nil:
		return "", key.Binding{}
	case m.Searched():
		return "No loaded transaction matches.", ui.ClearSearch
	case m.cache.latest.HasMeta && m.cache.latest.Meta.Total == 0:
		return "There are no transactions.", ui.Bind("r", "reload")
	}
	return "This page has no rows.", ui.Bind("{", "first page")
}

// head is what is above the table, instead of the number of rows.
func (m *Model) head(w int) []string {
	if m.long != nil {
		return m.longHead(w)
	}
	return m.pageHead(w)
}

// foot is what is below the rows: what a mark means that is in them, and on pages how many have which status.
func (m *Model) foot(w int) []string {
	note, raw := "an ID may not be a payment reference: l looks it up", false
	for _, l := range m.Visible() {
		raw = raw || !l.Known
	}
	if m.long != nil { // it takes its line in any case, so that no row moves while the list is scrolled
		if raw {
			return []string{m.Theme.Muted.Render(report.RawAmounts)}
		}
		return []string{m.Theme.Muted.Render(present.Sentence(note))}
	}
	words := m.countWords()
	if slices.ContainsFunc(m.Loaded(), func(l listing.Listed) bool { return !l.Known }) {
		return []string{words, m.Theme.Muted.Render(report.RawAmounts)}
	}
	if note := m.Theme.Muted.Render(" · " + note); ui.Width(words+note) <= w {
		words += note
	}
	return []string{words}
}

// blindLines say that the journal could not be read, while that is so.
func (m *Model) blindLines(w int) []string {
	if !m.blind {
		return nil
	}
	return m.Theme.MarkLines(ui.ToneAct, "The journal could not be read: a payment marked ? may have a mismatch.", w)
}
