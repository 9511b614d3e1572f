package journal

import "context"

// Recent returns at most n payments that were made or found at a destination, newest first, whatever
// became of them.
func (j *Journal) Recent(ctx context.Context, d Destination, n int) ([]Attempt, error) {
	return ask(ctx, j, func(t *readTx) ([]Attempt, error) {
		rows, err := t.attempts("WHERE kind = 'initiate' AND reference <> '' AND "+atService+newestFirst+" LIMIT ?", append(atArgs(d), n)...)
		return t.toAttempts(rows), err
	})
}
