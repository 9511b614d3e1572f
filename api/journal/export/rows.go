package export

import (
	"context"
	"iter"
	"time"

	"paydesk/api/journal"
)

// A Source is where [Rows] reads attempts: a [journal.Journal]. Attempts returns at most n of
// them beginning with number from, newest first, and how many there are in all.
type Source interface {
	Attempts(ctx context.Context, f journal.Filter, from, n int) ([]journal.Attempt, int, error)
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
	return func(yield func(journal.Attempt, error) bool) {
		seen := map[journal.ID]bool{} // of rows that the next page may repeat
		for from := 0; ; {
			rows, _, err := b.Attempts(ctx, f, from, pageSize)
			if err != nil {
				yield(journal.Attempt{}, err)
				return
			}
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
