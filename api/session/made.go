package session

import (
	"context"
	"time"

	"paydesk/api/journal"
)

// Made returns what was made from here since a time and before another, by currency; without a journal, what was made
// in this run. It does I/O: call it in a command.
func (t *Tracker) Made(ctx context.Context, from, to time.Time) ([]journal.Made, error) {
	if t.store != nil {
		return t.store.Made(ctx, from, to)
	}
	var made []journal.Attempt
	for _, e := range t.All() {
		if e.Kind == journal.Initiate && !e.LookedUp && !e.Started.Before(from) && e.Started.Before(to) {
			made = append(made, journal.Attempt{Amount: e.Requested, Reference: e.Reference, Status: e.Status, Mismatch: e.Mismatch})
		}
	}
	return journal.MadeOf(made)
}
