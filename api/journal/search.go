package journal

import (
	"cmp"
	"context"
	"iter"
	"math"
	"slices"
	"time"

	"paydesk/api/ledger"
	"paydesk/api/query"
)

// A Page is some of the rows that were found, newest first.
type Page[T any] struct {
	Rows  []T
	From  int // the number of the first of them, from 0
	Count int // how many were found so far
	// Complete means that there are no more. Searching means that the search is not over, although
	// Count is not yet what was asked for: ask again with Search to continue.
	Complete, Searching bool
	Search              Search
}

// Row returns the row with a number; ok is false where it is not on the page.
func (p *Page[T]) Row(i int) (row T, ok bool) {
	if i -= p.From; i < 0 || i >= len(p.Rows) {
		return row, false
	}
	return p.Rows[i], true
}

// Covers reports whether the rows from first to before last are on the page, or do not exist.
func (p *Page[T]) Covers(first, last int) bool {
	return max(first, 0) >= p.From && min(last, p.Count) <= p.From+len(p.Rows) && (p.Complete || last <= p.Count)
}

// A Search tells how far a search came and what it found; the zero Search is a new one. Every step of one
// must have the same filter. It does not find what is recorded meanwhile.
type Search struct {
	found       []hit // part by part, newest first in each
	begun, done bool
	part        int // that is gone through
	before      int // how many were found in the parts before it
	last        hit // the last row of it that was gone through
}

// IsZero reports whether it is a new one.
func (s Search) IsZero() bool { return !s.begun }

// A hit is a row that was found.
type hit struct{ n, at int64 }

const (
	// firstPage is the least number of rows that a search finds, if there are as many, before it rests.
	firstPage = 1000
	// stepTime limits one step, so that keys, and payments, which wait for the journal, do not; sharedStepTime is for a
	// server, for which they do not wait.
	stepTime       = 8 * time.Millisecond
	sharedStepTime = 50 * time.Millisecond
)

// How many rows a strip has: the first has few, since many of the newest may be meant. Strips become wider as long as one
// does not take most of a step.
var narrow, widest = 1024, 1 << 17

// goal returns how many rows a step looks for when the rows from..from+n are asked for: it is ahead of
// a person who scrolls.
func goal(from, n int) int { return max(firstPage, from+2*n) }

// A quest looks among the rows of a strip that meet one of its parts, which have what an index helps, for those that meet
// meant. What is in the first part is found first.
type quest struct {
	parts []condition
	meant condition
}

// newQuest returns the search for the rows that are in one of some parts and meet a query.
func (t *readTx) newQuest(q query.Query, columns query.Columns, parts ...condition) (quest, error) {
	if slices.ContainsFunc(q.Terms, func(t query.Term) bool { return t.Kind == query.Exact }) && len(t.key) == 0 {
		return quest{}, ledger.Rejected("A search for a customer needs the journal's key, which cannot be read now.")
	}
	meant, args, err := columns.Where(q)
	if err != nil {
		return quest{}, ledger.Rejected("The journal does not know what to search for: " + err.Error() + ".")
	}
	for _, h := range hints(q, columns) {
		for i := range parts {
			parts[i] = parts[i].and(h.sql, h.args...)
		}
	}
	return quest{parts, condition{meant, args}}, nil
}

// step searches on until it has found enough, everything was searched, or its time is over. It goes through the rows of each
// part strip by strip, newest first: what a strip costs does not depend on how large the journal is.
func (t *readTx) step(q quest, s Search, enough int) (_ Search, err error) {
	s.found, s.begun = slices.Clip(s.found), true // another step may go on from it
	limit := stepTime
	if t.shared {
		limit = sharedStepTime
	}
	for began, width := time.Now(), narrow; !s.done && len(s.found) < enough; {
		at := time.Now()
		if err := t.searchStrip(q, &s, width); err != nil {
			return s, err
		}
		if s.done && s.part < len(q.parts)-1 {
			s.done, s.part, s.before, s.last = false, s.part+1, len(s.found), hit{}
		}
		if time.Since(began) >= limit {
			break
		}
		if time.Since(at) < limit/4 {
			width = min(2*width, widest)
		}
	}
	return s, nil
}

// searchStrip goes through the next rows: from behind the last one to the one that many rows further. One that was found in
// a part before is left out, as it may have changed meanwhile.
func (t *readTx) searchStrip(q quest, s *Search, width int) error {
	strip := q.parts[s.part]
	if s.last != (hit{}) {
		strip = strip.and("(a.at, a.n) < (?, ?)", s.last.at, s.last.n)
	}
	s.done = true
	end := strip.and("TRUE ORDER BY a.at DESC, a.n DESC LIMIT 1 OFFSET ?", width-1)
	if err := t.hits(end, func(h hit) { s.done, s.last = false, h }); err != nil {
		return err
	}
	if !s.done {
		strip = strip.and("(a.at, a.n) >= (?, ?)", s.last.at, s.last.n)
	}
	found := strip.and(q.meant.sql+" ORDER BY a.at DESC, a.n DESC", q.meant.args...)
	return t.hits(found, func(h hit) {
		if !slices.Contains(s.found[:min(s.before, len(s.found))], h) {
			s.found = append(s.found, h)
		}
	})
}

// hits calls each for the rows that meet a condition.
func (t *readTx) hits(c condition, each func(hit)) error {
	return t.each(func(r scanner) error {
		var h hit
		err := r.Scan(&h.n, &h.at)
		each(h)
		return err
	}, "SELECT a.n, a.at FROM attempts AS a WHERE "+c.sql, c.args...)
}

// rowsOf returns the rows from..from+n of those that were found, in the order in which they were. Rows that were deleted since
// are left out.
func (t *readTx) rowsOf(s *Search, from, n int) ([]ledger.Entry, error) {
	for {
		from := min(max(from, 0), len(s.found))
		page := s.found[from:min(from+max(n, 0), len(s.found))]
		if len(page) == 0 {
			return nil, nil
		}
		var numbers []int64
		for _, h := range page {
			numbers = append(numbers, h.n)
		}
		in := oneOf("n", numbers)
		rows, err := t.entries("attempts", "WHERE "+in.sql+newestFirst, in.args...)
		if err != nil {
			return nil, err
		}
		if len(rows) == len(page) {
			return asFound(rows, page), nil
		}
		ids := oneOf("id", append(idsOf(rows), "")) // no row has the last
		read := in.and(ids.sql, ids.args...)
		left, err := collect(t, only[int64], "SELECT n FROM attempts WHERE "+read.sql, read.args...)
		if err != nil {
			return nil, err
		}
		s.found = slices.DeleteFunc(slices.Clone(s.found), func(h hit) bool { return slices.Contains(numbers, h.n) && !slices.Contains(left, h.n) })
	}
}

// asFound returns rows that were read newest first in the order in which they were found, part by part: a row that is in another
// part meanwhile stays in its place.
func asFound(rows []ledger.Entry, page []hit) []ledger.Entry {
	places := make([]int, len(page))
	for i := range places {
		places[i] = i
	}
	slices.SortFunc(places, func(a, b int) int {
		return cmp.Or(cmp.Compare(page[b].at, page[a].at), cmp.Compare(page[b].n, page[a].n))
	})
	all := make([]ledger.Entry, len(rows))
	for i, place := range places {
		all[place] = rows[i]
	}
	return all
}

// find makes a step of a search and returns the page that it is done for.
func find[T any](ctx context.Context, j *Journal, asked func(*readTx) (quest, error), s Search, from, n, enough int,
	read func(*readTx, []ledger.Entry) ([]T, error)) (p Page[T], err error) {
	err = j.read(ctx, func(t *readTx) error {
		q, err := asked(t)
		if err != nil {
			return err
		}
		s, err := t.step(q, s, enough) // from the same place where another source is tried
		if err != nil {
			return err
		}
		rows, err := t.rowsOf(&s, from, n)
		if err != nil {
			return err
		}
		p = Page[T]{From: max(from, 0), Count: len(s.found), Complete: s.done, Search: s}
		p.Searching = !p.Complete && p.Count < enough
		p.Rows, err = read(t, rows)
		return err
	})
	return p, err
}

// Find returns the rows from..from+n of those a filter selects, newest first. It makes one step of a search, which takes
// some milliseconds however large the journal is.
func (j *Journal) Find(ctx context.Context, f Filter, s Search, from, n int) (Page[ledger.Attempt], error) {
	return j.search(ctx, f, s, from, n, goal(from, n))
}

// Attempts returns the rows from..from+n of those a filter selects, newest first, and how
// many it selects in all: it searches to the end.
func (j *Journal) Attempts(ctx context.Context, f Filter, from, n int) (all []ledger.Attempt, count int, err error) {
	var p Page[ledger.Attempt]
	for err == nil && !p.Complete {
		p, err = j.search(ctx, f, p.Search, from, n, math.MaxInt)
	}
	return p.Rows, p.Count, err
}

func (j *Journal) search(ctx context.Context, f Filter, s Search, from, n, enough int) (Page[ledger.Attempt], error) {
	return find(ctx, j, f.quest, s, from, n, enough, func(t *readTx, rows []ledger.Entry) ([]ledger.Attempt, error) { return t.toAttempts(rows), nil })
}

// A Filter selects attempts. All fields that are set must match; the zero Filter selects all.
type Filter struct {
	// Query is in [AttemptLanguage]. Text anywhere is looked for in ID, reference, alias, link name (asked or
	// answered), channel and the card's last four.
	Query    query.Query
	From, To time.Time          // when it was sent: at or after From, before To
	Service  ledger.Destination // the same as this one, see [ledger.Destination.IsSameService]; zero for all
}

// Mismatched is the word of [Filter.Query] for the status of attempts with a [ledger.Mismatch], decided or not.
const Mismatched = "MISMATCH"

func (f Filter) quest(t *readTx) (quest, error) {
	base := between(f.From, f.To)
	if f.Service != (ledger.Destination{}) {
		base = base.and("("+atService+")", atArgs(f.Service)...)
	}
	return t.newQuest(f.Query, attemptColumns(t.key), base)
}

// undecided is the condition of an unresolved attempt without a decision; it has an index.
const undecided = "outcome = 'unresolved' AND verdict = ''"

// Choices are the values that occur in the journal, for filters to offer; each sorted.
type Choices struct{ Statuses, Outcomes, Currencies, Users []string }

// attemptsAtOnce limits how many rows are read at a time.
const attemptsAtOnce = 500

// Each returns all attempts that a filter selects, newest first, as they are found. Each is returned once, whatever is
// written to the journal meanwhile. An error comes last.
func (j *Journal) Each(ctx context.Context, f Filter) iter.Seq2[ledger.Attempt, error] {
	return each(func(s Search, from, n int) (Page[ledger.Attempt], error) { return j.search(ctx, f, s, from, n, from+n) })
}

// each returns all rows that a search finds, a page after the other.
func each[R any](find func(s Search, from, n int) (Page[R], error)) iter.Seq2[R, error] {
	return func(yield func(R, error) bool) {
		var p Page[R]
		for from := 0; !p.Complete || from < p.Count; from += len(p.Rows) {
			var err error
			if p, err = find(p.Search, from, attemptsAtOnce); err != nil {
				yield(*new(R), err)
				return
			}
			for _, row := range p.Rows {
				if !yield(row, nil) {
					return
				}
			}
		}
	}
}
