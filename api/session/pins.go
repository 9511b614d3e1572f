package session

import (
	"context"
	"slices"

	"paydesk/api"
)

// Pin keeps payments on the watch board: those that are not on it yet, wherever they were made. A payment
// need not have been looked up yet. They stay pinned in later runs, as long as the journal lasts. At
// most ledger.MaxPins fit, else the error is ledger.ErrTooManyPins and none is pinned. It does I/O:
// call it in a command.
func (t *Tracker) Pin(ctx context.Context, payments ...api.Reference) error {
	if err := t.rec.Pin(ctx, payments...); err != nil {
		return err
	}
	return t.Refresh(ctx)
}

// Unpin takes payments off the watch board. It does I/O: call it in a command.
func (t *Tracker) Unpin(ctx context.Context, payments ...api.Reference) error {
	if err := t.rec.Unpin(ctx, payments...); err != nil {
		return err
	}
	return t.Refresh(ctx)
}

// IsPinned reports whether a payment is pinned.
func (t *Tracker) IsPinned(r api.Reference) bool {
	e, _ := t.find(r)
	return e.IsPinned()
}

// Pinned lists the payments that are pinned, the first pinned first.
func (t *Tracker) Pinned() []Entry {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.pinned()
}

func (t *Tracker) pinned() (all []Entry) {
	for _, e := range t.entries {
		if e.IsPinned() {
			all = append(all, e)
		}
	}
	slices.SortStableFunc(all, func(a, b Entry) int { return a.PinnedAt.Compare(b.PinnedAt) })
	return all
}
