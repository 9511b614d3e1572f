package session

import (
	"context"

	"paydesk/api/journal"
)

// maxRecent is how many payments of a kind [Tracker.Recent] lists.
const maxRecent = 20

// Recent lists the latest payments that were made, found or looked up here, in earlier runs too. It does I/O: call it
// in a command. Without a journal there are only those of [Tracker.All].
func (t *Tracker) Recent(ctx context.Context) (all []Entry, err error) {
	if t.store == nil {
		return nil, nil
	}
	made, err := t.store.Recent(ctx, maxRecent)
	if err != nil {
		return nil, err
	}
	for _, a := range made {
		all = append(all, t.entry(a))
	}
	found, err := t.store.Lookups(ctx, maxRecent)
	for _, l := range found {
		all = append(all, lookedUp(l))
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	for i := range all {
		all[i] = t.marked(all[i])
	}
	return all, err
}

// Is reports whether two entries are about the same attempt, or the same payment.
func (e Entry) Is(o Entry) bool {
	switch {
	case e.ID != "" && o.ID != "":
		return e.ID == o.ID
	case e.Reference != "" || o.Reference != "":
		return e.Kind == o.Kind && e.Reference == o.Reference
	}
	return e.Kind == o.Kind && e.Started.Equal(o.Started)
}

// Asks reports whether the service can be asked how the payment stands, and its answer may change that.
func (e Entry) Asks() bool {
	if e.Kind == journal.Finalize { // of a payment that was made elsewhere: its final status settles it
		return e.Unresolved && e.ID != "" && e.Reference != ""
	}
	return e.Reference != "" && e.Kind == journal.Initiate && !e.Unresolved && !e.NotFollowed &&
		e.Mismatch.Decision != journal.NotOurs && !e.Flow.State().Final()
}
