package transactions

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"paydesk/api/listing"
	"paydesk/api/query"
	"paydesk/screens/list"
	"paydesk/screens/present"
)

// hits says which rows of a scan are listed, and in which order.
type hits struct {
	asking
	read   int      // rows that were searched
	places []int32  // nil for all, in the order of the list
	n      int      // how many rows are listed
	more   bool     // they are the first of those that the search finds
	notes  []string // about what the rows were compared with
	beside beside   // with what that was
	pace            // of the search
}

// An asking says what is looked for, and in which rows.
type asking struct {
	rows  *listing.Rows
	query string
	order string
	kept  bool // they are compared with others
}

// plain reports whether all rows are listed, in the order of the list.
func (a asking) plain() bool { return a.query == "" && a.order == "" }

// index is the number of the row with a place; -1 for none.
func (h hits) index(place int) int {
	if h.plain() && place < h.n {
		return place
	}
	return slices.Index(h.places, int32(place))
}

// window returns at most n rows from one on, as a search lists them.
func (h hits) window(ctx context.Context, s listing.Search, from, n int) ([]listing.Listed, error) {
	var places []int32
	for i := from; i < min(from+n, h.n); i++ {
		place := int32(i)
		if h.places != nil {
			place = h.places[i]
		}
		places = append(places, place)
	}
	return h.rows.At(ctx, s, places...)
}

// orders are the orders of rows by what the facet calls them.
var orders = map[string]listing.Order{
	"currency, highest": listing.ByHighest,
	"currency, lowest":  listing.ByLowest,
	"status":            listing.ByStatus,
	"currency":          listing.ByCurrency,
}

// firstFound limits how many rows are listed before all that a search finds are known.
const firstFound = 500

// compares reports whether the rows listed are compared with an earlier scan.
func (m *Model) compares() bool { return len(listing.Asked(m.Query())) > 0 }

// readScan reads rows of a scan. Searching a million rows takes a moment: the first that are found are listed before all are, and what
// was found serves until something else is looked for, or more rows were read.
func (m *Model) readScan(w list.Want[listing.Listed]) list.Reading[listing.Listed] {
	state, lister, was, sought, began := m.state, m.lister, m.found, m.sought, m.Scope.Now()
	based := m.basis()
	m.based = based
	of := asking{state.Rows, w.Query.String(), m.sort.Chosen, len(listing.Asked(w.Query)) > 0 && m.isKept()}
	afresh, s := was.asking != of || was.more || m.afresh, m.searchOf(w.Query, state.Read)
	if m.afresh = false; was.asking != of {
		s.Limit = firstFound
	}
	prepare := m.prepare(w.Query)
	return func(ctx context.Context) (rows list.Rows[listing.Listed], err error) {
		h := was
		switch {
		case of.plain():
			h = hits{asking: of, n: state.Read, read: state.Read}
		case afresh:
			h = hits{asking: of, read: state.Read}
			if h.notes, h.beside, err = prepare(ctx); err != nil {
				return rows, err
			}
			if h.places, err = state.Rows.Find(ctx, s); err != nil {
				return rows, err
			}
			h.n = len(h.places)
			h.more = s.Limit > 0 && h.n == s.Limit
		}
		at := -1
		if w.Seek != "" {
			if sought, err = sought.seek(ctx, state, w.Seek); err == nil && sought.place >= 0 {
				at = h.index(sought.place)
			}
		} else if w.Near != nil {
			at = h.index(w.Near.Place)
		}
		if at >= 0 {
			w.From = max(at-w.N/2, 0)
		}
		if h.n > 0 {
			s.Mismatches = listing.MismatchesOf(ctx, lister)
		}
		if rows.Rows, err = h.window(ctx, s, w.From, w.N); err != nil {
			return rows, err
		}
		rows.From, rows.Count, rows.Searching, rows.Complete = w.From, h.n, h.more, !h.more
		if of.plain() && state.Counted {
			rows.All = state.Total
		}
		rows.Keep = func() {
			m.based = based // more may have been listed since
			if m.found = h; afresh {
				m.found.pace = paced(began, m.Scope.Now())
			}
			m.sought = sought
		}
		return rows, ctx.Err()
	}
}

// searchOf returns what is looked for in the rows that were read.
func (m *Model) searchOf(q query.Query, read int) listing.Search {
	return listing.Search{Query: q, Order: orders[m.sort.Chosen], To: read, First: 1}
}

// A pace is when work on all rows of a scan ended, and how long it took: it is begun again while the scan goes on.
type pace struct {
	ended time.Time
	took  time.Duration
}

func paced(began, ended time.Time) pace { return pace{ended, ended.Sub(began)} }

// again reports whether the work may begin again: it gets one part of the time in so many.
func (p pace) again(now time.Time) bool {
	const share = 8
	return now.Sub(p.ended) >= share*p.took
}

// A sought row is the one that was marked before the list was read again.
type sought struct {
	id    string
	read  int // rows in which it was looked for
	place int // where it is; -1 while that is not known
}

// seek looks for a row in what was read since.
func (a sought) seek(ctx context.Context, s listing.State, id string) (sought, error) {
	if a.id != id {
		a = sought{id: id, place: -1}
	}
	if a.place >= 0 || a.read >= s.Read {
		return a, nil
	}
	is := query.Term{Field: listing.FieldID, Kind: query.Text, Values: []query.Value{{Text: id, How: query.Whole}}}
	found, err := s.Rows.Find(ctx, listing.Search{Query: query.Query{Terms: []query.Term{is}}, From: a.read, To: s.Read, Limit: 1})
	if a.read = s.Read; len(found) > 0 {
		a.place = int(found[0])
	}
	return a, err
}

// A beside maps what the rows are compared with to how many of them were read then, and to notes on it.
type beside map[string]besides

type besides struct {
	read  int
	notes []string
}

const ofLedger = "ledger"

// prepare puts beside the rows what a query asks about: an earlier scan, or the payments made from here. What was put there is
// not looked up again until more rows are read.
func (m *Model) prepare(q query.Query) func(context.Context) ([]string, beside, error) {
	o, state, kept, at := m.options, m.state, m.isKept(), m.Scope.Now().Local()
	asked, known := listing.Asked(q), beside{}
	if m.found.rows == state.Rows {
		maps.Copy(known, m.found.beside)
	}
	if listing.AsksLedger(q) {
		asked = append(asked, ofLedger)
	}
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
					b.notes = []string{cmp.Or(o.NoMemory, "The list is not saved.")}
				case !kept:
					b.read, b.notes = -1, []string{"Changes are known once the list has been read to its end and saved."}
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
		return []string{"This is the first saved scan: the next one shows what changed."}, nil
	}
	says, doubts := present.ChangesCompared(h, at)
	return append(says, doubts...), nil
}
