package attempt

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/screens/present"
	"paydesk/ui"
)

// maxPages are read in one search, each with as many rows as the service allows.
const maxPages = 5

// A listPage is a page of the transactions and the number that was requested.
type listPage struct {
	api.Page
	number int
}

// A search reads pages of the transactions, one after the other.
type search struct {
	call      ui.Call[listPage]
	remaining []int  // pages still to read
	pages     int    // how many to read in all
	done      int    // pages read
	listPages int    // how many there are; 0 while it is not known
	rows      int    // searched
	scanned   string // what was searched, where that was the rows of a scan
	seen      map[string]bool
	found     []match
	table     *ui.Table
	problem   present.Problem
}

// A match is a row of the service's list of transactions that may be the unresolved attempt. It
// proves nothing.
type match struct {
	api.Transaction
	Page int
}

// newMatchTable has no column for the amount, which all matches share, and none for a time, which
// the service does not report.
func newMatchTable(t *ui.Theme) *ui.Table {
	return ui.NewTable(t,
		ui.Column{Title: "Status", Width: 20},
		ui.Column{Title: "ID", Width: 12, Grow: true},
		ui.Column{Title: "Page", Width: 7, Right: true},
	)
}

// reset drops the search and what it is waiting for.
func (s *search) reset() {
	s.call.Drop()
	*s = search{call: s.call, table: s.table}
}

// samplePages are the pages to read after the first, alternating between the end and the
// beginning: the order of the transactions is not specified.
func samplePages(count int) []int {
	var pages []int
	for low, high := 2, count; low <= high && len(pages) < maxPages-1; {
		pages = append(pages, high)
		if high--; low <= high && len(pages) < maxPages-1 {
			pages = append(pages, low)
			low++
		}
	}
	return pages
}

// openMatches starts a search. Only payments are transactions.
func (m *Model) openMatches() tea.Cmd {
	if m.record.Kind != ledger.Initiate {
		return m.Warn("The transactions hold payments only: look in the provider's dashboard.")
	}
	m.statusCall.Drop()
	m.search.reset()
	m.matchedFrom, m.stage, m.problem = m.stage, matching, present.Problem{}
	m.scanCall.Drop()
	if st, is := m.scanned(); is {
		m.fillMatches()
		return m.searchScanned(st)
	}
	m.search.seen = map[string]bool{}
	m.search.remaining, m.search.pages = []int{1}, 1
	m.fillMatches()
	return m.nextPage()
}

// nextPage requests the next page, if any is left.
func (m *Model) nextPage() tea.Cmd {
	s := &m.search
	if len(s.remaining) == 0 {
		return nil
	}
	service, page := m.service, s.remaining[0]
	return s.call.Then(m.receivePage).Timed(api.ReadLimit, m.layoutMatches).Ask(m.Scope, func(ctx context.Context) (listPage, error) {
		p, err := service.Transactions(ctx, page, api.MaxPerPage)
		return listPage{p, page}, err
	})
}

// receivePage searches a page and requests the next. What was found stays when a page fails.
func (m *Model) receivePage(a ui.Result[listPage]) tea.Cmd {
	s, p := &m.search, a.Value
	if a.Err != nil {
		s.problem, s.remaining = present.Error(a.Err, present.Reading), nil
		m.fillMatches()
		return nil
	}
	s.remaining, s.done = s.remaining[1:], s.done+1
	s.rows += len(p.Rows)
	if p.number == 1 && p.HasMeta {
		s.listPages = p.Meta.PageCount
		s.remaining = samplePages(s.listPages)
		s.pages = 1 + len(s.remaining)
	}
	for _, r := range p.Rows {
		row := r.ID.Line(0) + "\x00" + r.Object.Line(0)
		if r.Known && r.Amount == m.record.Amount && !s.seen[row] { // the rows may shift between two requests
			s.seen[row] = true
			s.found = append(s.found, match{Transaction: r, Page: p.number})
		}
	}
	m.fillMatches()
	return m.nextPage()
}

// fillMatches shows what was found so far.
func (m *Model) fillMatches() {
	found := m.search.found
	m.search.table.SetRows(len(found), func(i int) []ui.Cell {
		r := found[i]
		return []ui.Cell{
			{Text: present.Word(r.Status), Tone: present.Tone(r.Status)}, {Text: r.ID.Line(80)}, {Text: present.Thousands(r.Page)},
		}
	})
	m.layoutMatches()
}

// progress returns how far the search has come.
func (s *search) progress() string {
	all := present.Thousands(s.listPages)
	switch {
	case s.scanned != "":
		return s.scanned
	case s.call.Pending() && s.listPages == 0:
		return "Reading page 1"
	case s.call.Pending():
		return fmt.Sprintf("Reading page %s of %s (%d of %d to search)", present.Thousands(s.remaining[0]), all, s.done+1, s.pages)
	case s.listPages == 0:
		return fmt.Sprintf("Searched %s rows on page 1; the number of pages is not known.", present.Thousands(s.rows))
	}
	return fmt.Sprintf("Searched %s rows on %d of %s pages.", present.Thousands(s.rows), s.done, all)
}
