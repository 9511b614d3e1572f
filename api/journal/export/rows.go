package export

import (
	"context"
	"iter"
	"time"

	"paydesk/api/journal"
)

// A Source is where [Rows] reads attempts: a [journal.Journal]. Find returns at most n of
// them beginning with number from, newest first.
type Source interface {
	Find(ctx context.Context, f journal.Filter, s journal.Search, from, n int) (journal.Page[journal.Attempt], error)
}

const (
	pageSize = 500 // rows read at a time
	// minStep is not less than the resolution of the journal's times.
	minStep = time.Millisecond
)

// Rows returns all attempts that a filter selects, newest first, read page by page. Each is
// returned once, whatever is written to the journal meanwhile: a page begins at the time of the
// previous page's last row, because row numbers shift. An error comes last.
func Rows(ctx context.Context, b Source, f journal.Filter) iter.Seq2[journal.Attempt, error] {
	if !f.Query.Empty() {
		return foundRows(ctx, b, f)
	}
	return func(yield func(journal.Attempt, error) bool) {
		seen := map[journal.ID]bool{} // of rows that the next page may repeat
		for from := 0; ; {
			page, err := b.Find(ctx, f, journal.Search{}, from, pageSize)
			if err != nil {
				yield(journal.Attempt{}, err)
				return
			}
			rows := page.Rows
			for _, a := range rows {
				if !seen[a.ID] && !yield(a, nil) {
					return
				}
			}
			if len(rows) < pageSize {
				return
			}
			next := rows[len(rows)-1].At.Add(minStep)
			if !f.To.IsZero() && !next.Before(f.To) { // a page of rows with the same time
				from += pageSize
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
func foundRows(ctx context.Context, b Source, f journal.Filter) iter.Seq2[journal.Attempt, error] {
	return func(yield func(journal.Attempt, error) bool) {
		var page journal.Page[journal.Attempt]
		var err error
		for err == nil && !page.Complete {
			page, err = b.Find(ctx, f, page.Search, page.Count, pageSize)
		}
		for from := 0; err == nil && from < page.Count; from += pageSize {
			page, err = b.Find(ctx, f, page.Search, from, pageSize)
			for _, a := range page.Rows {
				if !yield(a, nil) {
					return
				}
			}
		}
		if err != nil {
			yield(journal.Attempt{}, err)
		}
	}
}
