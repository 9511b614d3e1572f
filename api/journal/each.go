package journal

import (
	"context"
	"iter"
	"time"

	"paydesk/api/ledger"
)

// A Finder is where [EachAttempt] reads attempts: a [Journal]. Find returns at most n of
// them beginning with number from, newest first.
type Finder interface {
	Find(ctx context.Context, f Filter, s Search, from, n int) (Page[ledger.Attempt], error)
}

const (
	attemptsAtOnce = 500 // rows read at a time
	// minStep is not less than the resolution of the journal's times.
	minStep = time.Millisecond
)

// EachAttempt returns all attempts that a filter selects, newest first, read page by page. Each is
// returned once, whatever is written to the journal meanwhile: a page begins at the time of the
// previous page's last row, because row numbers shift. An error comes last.
func EachAttempt(ctx context.Context, b Finder, f Filter) iter.Seq2[ledger.Attempt, error] {
	if !f.Query.Empty() {
		return foundRows(ctx, b, f)
	}
	return func(yield func(ledger.Attempt, error) bool) {
		seen := map[ledger.ID]bool{} // of rows that the next page may repeat
		for from := 0; ; {
			page, err := b.Find(ctx, f, Search{}, from, attemptsAtOnce)
			if err != nil {
				yield(ledger.Attempt{}, err)
				return
			}
			rows := page.Rows
			for _, a := range rows {
				if !seen[a.ID] && !yield(a, nil) {
					return
				}
			}
			if len(rows) < attemptsAtOnce {
				return
			}
			next := rows[len(rows)-1].At.Add(minStep)
			if !f.To.IsZero() && !next.Before(f.To) { // a page of rows with the same time
				from += attemptsAtOnce
			} else {
				if from == 0 {
					clear(seen)
				}
				f.To, from = next, 0
			}
			for _, a := range rows {
				if a.At.Before(next) {
					seen[a.ID] = true
				}
			}
		}
	}
}

// foundRows are the rows with a text: all are found first, so that each is returned once.
func foundRows(ctx context.Context, b Finder, f Filter) iter.Seq2[ledger.Attempt, error] {
	return func(yield func(ledger.Attempt, error) bool) {
		var page Page[ledger.Attempt]
		var err error
		for err == nil && !page.Complete {
			page, err = b.Find(ctx, f, page.Search, page.Count, attemptsAtOnce)
		}
		for from := 0; err == nil && from < page.Count; from += attemptsAtOnce {
			page, err = b.Find(ctx, f, page.Search, from, attemptsAtOnce)
			for _, a := range page.Rows {
				if !yield(a, nil) {
					return
				}
			}
		}
		if err != nil {
			yield(ledger.Attempt{}, err)
		}
	}
}
