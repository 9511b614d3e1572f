package journal

import (
	"context"
	"iter"

	"paydesk/api/ledger"
)

// attemptsAtOnce is how many rows are read at a time.
const attemptsAtOnce = 500

// Each returns all attempts that a filter selects, newest first, as they are found. Each is returned once, whatever is
// written to the journal meanwhile. An error comes last.
func (j *Journal) Each(ctx context.Context, f Filter) iter.Seq2[ledger.Attempt, error] {
	return func(yield func(ledger.Attempt, error) bool) {
		var p Page[ledger.Attempt]
		for from := 0; !p.Complete || from < p.Count; {
			var err error
			if p, err = j.search(ctx, f, p.Search, from, attemptsAtOnce, from+attemptsAtOnce); err != nil {
				yield(ledger.Attempt{}, err)
				return
			}
			if p.Searching {
				continue
			}
			for _, a := range p.Rows {
				if !yield(a, nil) {
					return
				}
			}
			from += max(len(p.Rows), 1)
		}
	}
}
