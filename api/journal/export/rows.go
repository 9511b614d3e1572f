package export

import (
	"context"
	"iter"
	"time"

	"paydesk/api/journal"
)

// A Book gives attempts, newest first: the rows from from on, n at most, and how many there
// are in all.
type Book interface {
	Attempts(ctx context.Context, f journal.Filter, from, n int) ([]journal.Attempt, int, error)
}

const (
	pageSize = 500 // rows read at a time
	// tick is no less than the least time the journal tells apart.
	minStep = time.Millisecond
)

// Rows are all attempts that a filter shows, newest first, read some at a time. Each is there
// once, whatever is written to the journal meanwhile: the next rows are asked for by the
// time of the last one and not by their number, which moves. The error, if there is one,
// comes last.
func Rows(ctx context.Context, b Book, f journal.Filter) iter.Seq2[journal.Attempt, error] {
	return func(yield func(journal.Attempt, error) bool) {
		seen := map[journal.ID]bool{} // of those asked for a second time
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
			switch {
			case !f.To.IsZero() && !next.Before(f.To): // a window full of one moment
				from += pageSize
			default:
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
