// Package transactions shows the transactions of the account as one list, as far as a scan has read it.
//
// The list is a [list.Model] over the rows of a [listing.Scanner], which rows.go and find.go read. The scan reads the first page when
// the screen opens, one page more before the mark reaches the last row, and all of them at a key, also while other screens are open
// (scan.go). It judges what the service answers; view.go says how far it is and how far it can be trusted. Rows that were read for a
// person to look at have their objects; the page of any other row is read again. row.go says what a row is and what this console knows
// of it, and shows it alone. totals.go, copy.go and export.go have what is done with rows.
package transactions

import (
	"context"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/api/listing"
	"paydesk/api/query"
	"paydesk/screens/list"
	"paydesk/screens/nav"
	"paydesk/screens/report"
	"paydesk/ui"
)

// A Lister reads one page of the transactions again.
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
	Scans    Scanner          // reads the list
	Memory   Memory           // keeps what is scanned; nil where nothing does
	NoMemory string           // why not
	Payments listing.Payments // those that were made from here; nil where the journal is off
	// Made returns the attempt that made a payment, or [ledger.ErrNotFound].
	Made func(context.Context, api.Reference) (ledger.Attempt, error)
	// Pinned reports whether a payment is pinned to home; nil for none.
	Pinned nav.Pinned
}

// A Model is the screen.
type Model struct {
	*list.Model[listing.Listed]
	lister  Lister
	options Options

	state    listing.State // of the scan
	scanCall ui.Call[listing.State]
	told     bool   // the question at the limit was asked
	sought   sought // the row that was marked before the list was read again

	based  basis // of the rows listed
	sort   *ui.Facet
	found  hits // of the rows read, as they are listed
	afresh bool // they are to be looked for again
	made   made // about the row in the pane, or the one that is open

	totals *totals
}

// New is the screen.
func New(t *ui.Theme, l Lister, o Options) *Model {
	m := &Model{lister: l, options: o, sought: sought{place: -1}}
	m.sort = &ui.Facet{Any: "sort", None: "unsorted", Values: []string{"currency, highest", "currency, lowest", "status", "currency"}}
	m.Model = list.New(t, list.Of[listing.Listed]{
		Title: "Transactions", One: "transaction", Many: "transactions",
		Columns:  func() []report.Column[listing.Listed] { return report.Transactions(m.compares()) },
		ID:       rowID,
		Read:     m.readScan,
		Language: func(func() query.DayNumber) *query.Language { return listing.Language() },
		Example:  "such as failed gbp >100, id:5e62*, or -successful",
		Facets:   []*ui.Facet{m.sort}, Faceted: func() bool { return m.state.Read > 0 }, Main: 5, // with those for the marked row
		Head: m.head, Foot: m.foot, None: m.none, Obstacle: m.obstacle, Below: m.below,
		Report: m.report, Pane: m.side, More: m.more, Commands: m.commands, Listed: m.listed, Beyond: m.readBeyond,
	})
	m.totals = &totals{screen: m}
	return m
}

// Init implements [ui.Screen].
func (m *Model) Init(s ui.Scope) tea.Cmd {
	m.Scope = s
	if s := m.options.Scans.State(); s.Phase == listing.Idle || s.To > 0 && !s.Phase.Running() && s.Why != listing.AtLimit {
		m.options.Scans.Again(scanPage)
	}
	if m.Count() > 0 { // it was left with them
		return m.Resume()
	}
	return m.followScan()
}

// Update implements [ui.Screen].
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	_, pressed := msg.(tea.KeyPressMsg)
	cmd := m.Model.Update(msg)
	if pressed && m.blind() && !m.Reading() { // it may be readable again
		cmd = tea.Batch(cmd, m.Refresh())
	}
	m.readAhead()
	return tea.Batch(cmd, m.relist(), m.countAgain())
}

// Back closes what is open over the list: the totals, the search.
func (m *Model) Back() bool {
	if !m.Typing() && m.totals.beside && m.Beside() {
		m.totals.beside = false
		m.TopOfPane()
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
	if m.found.beside = nil; listing.AsksLedger(m.Query()) { // a payment may have been made or decided about meanwhile
		m.afresh = true
		again = m.Stay()
	}
	return tea.Batch(again, m.followScan())
}

// Resized implements [ui.Resizer]: a larger window may have room for rows that were not read, and for the totals.
func (m *Model) Resized() tea.Cmd {
	m.readAhead()
	return tea.Batch(m.Model.Resized(), m.countAgain())
}

// side draws the pane beside the list, or below it: a row, or the totals.
func (m *Model) side(l listing.Listed, w, h int) []string {
	if m.totals.beside && m.Beside() {
		return m.totals.besideLines(w, h)
	}
	return m.pane(l, w, h)
}

// none says why there are no rows, and the key that may change that.
func (m *Model) none() (string, key.Binding) {
	switch s := m.state; {
	case s.Read == 0 && !s.More && s.Why != listing.ByProblem:
		return "There are no transactions.", ui.Bind("r", "reload")
	case m.Query().Empty():
		return "", key.Binding{}
	case s.More:
		return "No transaction read so far matches.", ui.ClearSearch
	}
	return "No transaction matches.", ui.ClearSearch
}

// foot draws the line below the rows, where no preview begins there that says the same. It takes its line in any case, so that no row
// moves while the list is scrolled.
func (m *Model) foot(int) []string {
	note := m.note("")
	switch _, h := m.PaneSize(); {
	case m.Beside(): // which says what an ID is
	case h > 1 && m.W >= listWidth:
		return nil
	case note == "":
		note = "An ID may not be a payment reference: l looks it up."
	}
	return []string{m.Theme.Muted.Render(note)}
}

// note says what a mark means that is in the rows, and what there is to say in brief of the marked one.
func (m *Model) note(brief string) string {
	raw := slices.ContainsFunc(m.Visible(), func(l listing.Listed) bool { return !l.Known })
	switch means, _, _ := strings.Cut(report.RawAmounts, ":"); { // there is no room for all of it beside the other
	case raw && brief != "":
		return means + " · " + brief
	case raw:
		return report.RawAmounts
	}
	return brief
}
