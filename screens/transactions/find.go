package transactions

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"paydesk/api/listing"
	"paydesk/api/query"
	"paydesk/screens/present"
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
	more    bool          // they are the first of those that it finds
	notes   []string      // what is to be said of what the rows were compared with
	stale   bool          // the filter was cleared since
	beside  beside
}

// hits are the rows that a search found.
type hits struct {
	scannedRows
	at    int // where the row is that was marked when it began; the first where it was not found
	more  bool
	notes []string
	known beside
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
	return find{facets: ui.NewFacets(t, sort), sort: sort, beside: beside{}}
}

// forget ends a search, and what is known of the last one.
func (f *find) forget() {
	f.call.Drop()
	f.read, f.ended, f.took, f.matched, f.more, f.notes = 0, time.Time{}, 0, false, false, nil
}

// query is what is typed, as far as it is right.
func (m *Model) query() query.Query {
	q, _ := listing.Language().Parse(m.filter.Value())
	return q
}

// asked is the earlier scan that is asked about; "" for none.
func (m *Model) asked() string {
	if all := listing.Asked(m.query()); m.long != nil && len(all) > 0 {
		return all[0]
	}
	return ""
}

// plain reports whether all rows of the scan are listed, in the order of the list.
func (m *Model) plain() bool {
	return m.long.find.sort.Chosen == "" && m.query().Empty()
}

// searched is what is looked for in the rows that were read.
func (m *Model) searchOf(read int) listing.Search {
	return listing.Search{Query: m.query(), Order: orders[m.long.find.sort.Chosen], To: read}
}

// look lists what is searched for now, from its first row where begin is true, else around the marked row.
func (m *Model) look(begin bool) tea.Cmd {
	l := m.long
	if begin {
		l.again.id = ""
	}
	if l.find.stale = false; !m.plain() {
		return m.search(begin, firstFound)
	}
	at := m.markedPlace()
	l.find.forget()
	m.listScanned(scannedRows{rows: l.state.Rows, n: l.state.Read})
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

// firstFound is how many rows are listed before all that a search finds are known.
const firstFound = 500

// search searches the rows that were read so far: the first of those that it finds, and then all; 0 for all at once.
func (m *Model) search(begin bool, limit int) tea.Cmd {
	l, began := m.long, m.Scope.Now()
	s, state, marked, asked := m.searchOf(l.state.Read), l.state, m.markedPlace(), m.asked()
	s.Limit = limit
	prepare := m.prepare(s.Query)
	return l.find.call.Then(func(a ui.Result[hits]) tea.Cmd {
		if m.long != l || a.Err != nil {
			return nil
		}
		f, now, at := &l.find, m.markedPlace(), a.Value.at
		if now != marked { // somebody moved on meanwhile
			at = max(slices.Index(a.Value.found, int32(now)), 0)
		}
		f.read, f.ended, f.matched, f.more, f.notes = state.Read, m.Scope.Now(), true, a.Value.more, a.Value.notes
		f.took, f.beside = f.ended.Sub(began), a.Value.known
		m.listScanned(a.Value.scannedRows)
		if begin {
			at = 0
		}
		m.table.Select(at)
		if f.more {
			return tea.Batch(m.search(begin && at == 0, 0), m.askAboutVisible())
		}
		return tea.Batch(m.markAgain(), m.findAgain(), m.askAboutVisible(), m.countAgain())
	}).Ask(m.Scope, func(ctx context.Context) (h hits, err error) {
		if h.notes, h.known, err = prepare(ctx); err != nil {
			return h, err
		}
		if h.found, err = state.Rows.Find(ctx, s); err != nil {
			return h, err
		}
		if h.found == nil {
			h.found = []int32{}
		}
		h.rows, h.n, h.more = state.Rows, len(h.found), limit > 0 && len(h.found) == limit
		h.at = max(slices.Index(h.found, int32(marked)), 0)
		h.window, err = h.read(ctx, h.at, h.at+1, asked)
		return h, err
	})
}

// A beside has for what the rows are compared with how many of them were read then, and what is to be said of it.
type beside map[string]besides

type besides struct {
	read  int
	notes []string
}

const ofLedger = "ledger"

// prepare puts beside the rows what a query asks about: an earlier scan, or the payments made from here. What was put there is
// not looked up again until more rows are read.
func (m *Model) prepare(q query.Query) func(context.Context) ([]string, beside, error) {
	l, o := m.long, m.options
	asked := listing.Asked(q)
	if listing.AsksLedger(q) {
		asked = append(asked, ofLedger)
	}
	kept, known, state := m.isKept(), maps.Clone(l.find.beside), l.state
	at := m.Scope.Now().Local()
	return func(ctx context.Context) (notes []string, _ beside, err error) {
		for _, what := range asked {
			b, is := known[what]
			if !is || b.read != state.Read {
				b = besides{read: state.Read}
				switch {
				case what == ofLedger && o.Payments == nil:
					b.notes = []string{"The journal is off for this profile: there are no payments to compare with the list."}
				case what == ofLedger:
					var l listing.Ledger
					l, err = state.Rows.KnowLedger(ctx, state, o.Payments)
					says, doubts := present.LedgerCompared(l, state.Phase == listing.Done && state.Verdict.Trusted)
					b.notes = append(says, doubts...)
				case o.Memory == nil:
					b.notes = []string{cmp.Or(o.NoMemory, "Nothing is kept of the list.")}
				case !kept:
					b.read, b.notes = -1, []string{"What changed is known once the list was read to its end and kept."}
				default:
					b.notes, err = compared(ctx, o.Memory, what, state.Rows, at)
				}
				if err != nil {
					return nil, nil, err
				}
				known[what] = b
			}
			notes = append(notes, b.notes...)
		}
		return notes, known, nil
	}
}

// compared compares rows with an earlier scan, and says with which.
func compared(ctx context.Context, memory Memory, asked string, rows *listing.Rows, at time.Time) ([]string, error) {
	_, h, err := memory.Compare(ctx, asked, rows)
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, err
	case err != nil:
		return []string{present.MirrorProblem(err)}, nil
	case h.From.N == 0:
		return []string{"This is the first scan that was kept: the next one shows what changed."}, nil
	}
	notes := append(present.ChangesCompared(h, at), present.ChangesDoubts(h, at)...)
	if len(h.Counts) == 0 {
		notes = append(notes, present.NoChanges(h, at))
	}
	return notes, nil
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
	return m.search(false, 0)
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
