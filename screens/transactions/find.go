package transactions

import (
	"context"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"paydesk/api/listing"
	"paydesk/api/query"
	"paydesk/ui"
)

// A find is which rows of a scan are listed, and in which order. Searching a million rows takes a moment: it is done in
// the background, and dropped by the next key.
type find struct {
	facets  *ui.Facets
	sort    *ui.Facet
	call    ui.Call[hits]
	read    int           // rows that were searched last
	ended   time.Time     // when that ended
	took    time.Duration // and how long it took
	matched bool          // the rows listed are those of a search
	stale   bool          // the filter was cleared since
}

// hits are the rows that a search found.
type hits struct {
	rows []int32
	at   int // where the row is that was marked when it began; the first where it was not found
}

// orders are the orders of rows by what the facet calls them.
var orders = map[string]listing.Order{
	"":                  {By: listing.ListOrder},
	"currency, highest": {By: listing.ByAmount, Descending: true},
	"currency, lowest":  {By: listing.ByAmount},
	"status":            {By: listing.ByStatus},
	"currency":          {By: listing.ByCurrency},
}

func newFind(t *ui.Theme) find {
	sort := &ui.Facet{Any: "sort", Values: []string{"currency, highest", "currency, lowest", "status", "currency"}}
	return find{facets: ui.NewFacets(t, sort), sort: sort}
}

// forget ends a search, and what is known of the last one.
func (f *find) forget() {
	f.call.Drop()
	f.read, f.ended, f.took, f.matched = 0, time.Time{}, 0, false
}

// query is what is typed, as far as it is right.
func (m *Model) query() query.Query {
	q, _ := listing.Language().Parse(m.filter.Value())
	return q
}

// plain reports whether all rows of the scan are listed, in the order of the list.
func (m *Model) plain() bool {
	return m.long.find.sort.Chosen == "" && m.query().Empty()
}

// look lists what is searched for now, from its first row where begin is true, else around the marked row.
func (m *Model) look(begin bool) tea.Cmd {
	l := m.long
	if l.find.stale = false; !m.plain() {
		return m.search(begin)
	}
	at := m.markedPlace()
	l.find.forget()
	m.listScanned(l.state.Read, nil)
	if begin {
		at = 0
	}
	m.table.Select(at)
	return tea.Batch(m.grow(), m.askAboutVisible())
}

// markedPlace is where the marked row is in the list that was read.
func (m *Model) markedPlace() int {
	at := max(m.table.Selected(), 0)
	if rows, is := m.rows.(scannedRows); is && at < rows.Len() {
		return rows.place(at)
	}
	return 0
}

// search searches the rows that were read so far.
func (m *Model) search(begin bool) tea.Cmd {
	l := m.long
	rows, q, order, read, began := l.state.Rows, m.query(), orders[l.find.sort.Chosen], l.state.Read, m.Scope.Now()
	marked := m.markedPlace()
	return l.find.call.Then(func(a ui.Result[hits]) tea.Cmd {
		if m.long != l || a.Err != nil {
			return nil
		}
		f, now, at := &l.find, m.markedPlace(), a.Value.at
		if now != marked { // somebody moved on meanwhile
			at = max(slices.Index(a.Value.rows, int32(now)), 0)
		}
		f.read, f.ended, f.matched = read, m.Scope.Now(), true
		f.took = f.ended.Sub(began)
		m.listScanned(0, a.Value.rows)
		if begin {
			at = 0
		}
		m.table.Select(at)
		return tea.Batch(m.findAgain(), m.askAboutVisible(), m.countAgain())
	}).Ask(m.Scope, func(ctx context.Context) (hits, error) {
		found, err := rows.Match(ctx, q, order)
		return hits{found, max(slices.Index(found, int32(marked)), 0)}, err
	})
}

// searchShare is how much of the time the rows of a scan that is under way may be searched again: one part in so many.
const searchShare = 8

// findAgain searches again once more rows were read: soon while they still come, and in any case when no more do.
func (m *Model) findAgain() tea.Cmd {
	f, s := &m.long.find, m.long.state
	soon := m.Scope.Now().Sub(f.ended) >= searchShare*f.took
	if m.plain() || f.call.Pending() || f.read == s.Read || s.Phase.Running() && !soon {
		return nil
	}
	return m.search(false)
}

// chose lists the rows in the order that was chosen.
func (m *Model) chose(facet *ui.Facet) tea.Cmd {
	if facet == nil {
		return nil
	}
	return m.look(true)
}

// updateLongFilter lists what is typed now.
func (m *Model) updateLongFilter(changed bool) tea.Cmd {
	m.layout()
	if changed {
		return m.look(true)
	}
	return m.askAboutVisible()
}
