package journal

import (
	"cmp"
	"context"
	"math"
	"slices"
	"time"
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

// A Search is how far a search came and what it found; the zero Search is a new one. Every step of one
// must have the same filter. What is recorded meanwhile is not found.
type Search struct {
	found []hit // newest first
	begun bool
	below int64 // rows from this one on have been searched
	first int64 // the oldest there is to search
	few   int   // the place of the condition by whose index all is found, from 1; 0 for none
	// In a shared database:
	last    position // of the last row that was read
	indexed bool     // an index says which rows are meant
}

// IsZero reports whether it is a new one.
func (s Search) IsZero() bool { return !s.begun }

func (s Search) complete() bool { return s.begun && s.below <= s.first }

// A hit is a row that was found.
type hit struct{ n, at int64 }

const (
	// firstPage is how many rows are found at least, if there are as many, before a search rests.
	firstPage = 1000
	// stepTime limits one step, so that keys, and payments, which wait for the journal, do not.
	stepTime = 8 * time.Millisecond
)

// How many rows a strip has: the first has few, since many of the newest may have the text. Where few
// have it, strips become wider, as long as one does not take most of a step.
var narrow, widest int64 = 1024, 1 << 40

// goal is how many rows a step looks for when the rows from..from+n are asked for: it is ahead of
// somebody who scrolls.
func goal(from, n int) int { return max(firstPage, from+2*n) }

// fewRows is how many rows an index may have for a condition, for them to be searched and no others.
var fewRows = 16384

// A strip is a run of rows that was searched.
type strip struct {
	low   int64 // where it begins
	found []hit
	read  int // rows with the text, of which found are those that meet the condition
}

// step searches on until it has found enough, everything was searched, or its time is over.
//
// It goes through the rows strip by strip, in the reverse order of their recording: what a strip costs
// does not depend on how large the journal is. The rows are returned by their time, which is the same
// order unless the clock was set back.
func (t *readTx) step(q quest, s Search, enough int) (_ Search, err error) {
	if t.dialect == ofPostgres {
		return t.stepShared(q, s, enough)
	}
	s.found = slices.Clip(s.found) // another step may go on from it
	if !s.begun {
		s.begun = true
		// Two queries: SQLite looks up an end in the table only where it is asked for alone.
		ends := "SELECT coalesce((SELECT min(n) FROM " + q.table + "), 0), coalesce((SELECT max(n) FROM " + q.table + "), -1) + 1"
		if err = t.one(ends, nil, &s.first, &s.below); err != nil {
			return s, err
		}
		if s.few, err = t.fewest(q); err != nil {
			return s, err
		}
	}
	began := t.j.opts.Now()
	for at, width := began, narrow; !s.complete() && len(s.found) < enough; {
		now, err := t.searchStrip(q, s, width)
		if err != nil {
			return s, err
		}
		s.below, s.found = now.low, append(s.found, now.found...)
		took := t.j.opts.Now().Sub(at)
		if at = at.Add(took); at.Sub(began) >= stepTime {
			break
		}
		if int64(now.read) < width/16 && took < stepTime/4 {
			width = min(2*width, widest)
		}
	}
	if !slices.IsSortedFunc(s.found, newer) {
		slices.SortFunc(s.found, newer)
	}
	return s, nil
}

// newer is the order of newestFirst.
func newer(a, b hit) int { return cmp.Or(cmp.Compare(b.at, a.at), cmp.Compare(b.n, a.n)) }

// lowest is where a strip of so many rows begins, 0 when there are none left: they may have been purged since.
func (t *readTx) lowest(table string, high, rows int64) (low int64, err error) {
	err = t.one("SELECT coalesce(min(n), 0) FROM (SELECT n FROM "+table+" WHERE n < ? ORDER BY n DESC LIMIT ?)",
		[]any{high, rows}, &low)
	return low, err
}

// rowsOf returns the rows from..from+n of those that were found. Rows that were deleted since are left out.
func (t *readTx) rowsOf(s *Search, from, n int) ([]*row, error) {
	for {
		from := min(max(from, 0), len(s.found))
		page := s.found[from:min(from+max(n, 0), len(s.found))]
		condition, numbers := t.dialect.among("n", page)
		rows, err := t.attempts("WHERE "+condition+newestFirst, numbers)
		if err != nil || len(rows) == len(page) {
			return rows, err
		}
		gone := slices.DeleteFunc(slices.Clone(page), func(h hit) bool {
			return slices.ContainsFunc(rows, func(r *row) bool { return r.n == h.n })
		})
		s.found = slices.DeleteFunc(slices.Clone(s.found), func(h hit) bool { return slices.Contains(gone, h) })
	}
}

// find makes a step of a search and returns the page that it is done for.
func find[T any](ctx context.Context, j *Journal, asked func(*readTx) (quest, error), s Search, from, n, enough int,
	read func(*readTx, []*row) ([]T, error)) (p Page[T], err error) {
	err = j.read(ctx, func(t *readTx) error {
		q, err := asked(t)
		if err != nil {
			return err
		}
		if s, err = t.step(q, s, enough); err != nil {
			return err
		}
		rows, err := t.rowsOf(&s, from, n)
		if err != nil {
			return err
		}
		p = Page[T]{From: max(from, 0), Count: len(s.found), Complete: s.complete(), Search: s}
		p.Searching = !p.Complete && p.Count < enough
		p.Rows, err = read(t, rows)
		return err
	})
	return p, err
}

// Find returns the rows from..from+n of those a filter selects, newest first. With a query, it makes
// one step of a search, which takes some milliseconds however large the journal is.
func (j *Journal) Find(ctx context.Context, f Filter, s Search, from, n int) (Page[Attempt], error) {
	return j.findAttempts(ctx, f, s, from, n, goal(from, n))
}

// findAttempts counts all that a filter without a query selects, unless they are in a shared database, which would read
// an index of every row for that.
func (j *Journal) findAttempts(ctx context.Context, f Filter, s Search, from, n, enough int) (Page[Attempt], error) {
	if f.Query.Empty() && (j.shared == nil || enough == math.MaxInt) {
		terms, args := f.terms()
		rows, count, err := j.attemptsWhere(ctx, terms, args, from, n)
		return Page[Attempt]{Rows: rows, From: max(from, 0), Count: count, Complete: err == nil}, err
	}
	return find(ctx, j, f.quest, s, from, n, enough, func(t *readTx, rows []*row) ([]Attempt, error) { return t.toAttempts(rows), nil })
}
