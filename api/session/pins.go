package session

import (
	"context"
	"errors"
	"slices"
	"time"

	"paydesk/api"
	"paydesk/api/flow"
	"paydesk/api/journal"
)

// errCardNumber is the error of pinning what may be a card number that was typed.
var errCardNumber = errors.New("that looks like a card number, which is never kept")

// Pin keeps payments on the watch board: those that are not on it yet, wherever they were made. A payment
// need not have been looked up yet. They stay pinned in later runs, and without a journal for this one. At
// most [journal.MaxPins] fit, else the error is [journal.ErrTooManyPins] and none is pinned. It does I/O:
// call it in a command.
func (t *Tracker) Pin(ctx context.Context, payments ...api.Reference) error {
	return t.setPins(ctx, func() error { return t.store.Pin(ctx, payments...) }, func() error { return t.pinHere(payments) })
}

// Unpin takes payments off the watch board. It does I/O: call it in a command.
func (t *Tracker) Unpin(ctx context.Context, payments ...api.Reference) error {
	return t.setPins(ctx, func() error { return t.store.Unpin(ctx, payments...) }, func() error {
		t.pins = slices.DeleteFunc(t.pins, func(e Entry) bool { return slices.Contains(payments, e.Reference) })
		return nil
	})
}

// IsPinned reports whether a payment is pinned.
func (t *Tracker) IsPinned(r api.Reference) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.pinned(r) != nil
}

// Pinned lists the payments that are pinned, the last pinned first.
func (t *Tracker) Pinned() (all []Entry) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, p := range t.pins {
		if ours := t.find(p.Reference); ours != nil {
			p = t.marked(*ours)
		}
		all = append(all, p)
	}
	return all
}

// setPins changes what is pinned in the store, and reads it again; without a store it is changed here.
func (t *Tracker) setPins(ctx context.Context, stored, here func() error) error {
	if t.store == nil {
		t.mu.Lock()
		defer t.mu.Unlock()
		return here()
	}
	if err := stored(); err != nil {
		return err
	}
	return t.readPins(ctx)
}

// pinHere pins payments for this run alone.
func (t *Tracker) pinHere(payments []api.Reference) error {
	now, more := time.Now(), t.pins
	for _, r := range payments {
		switch {
		case slices.ContainsFunc(more, func(e Entry) bool { return e.Reference == r }):
			continue
		case len(more) == journal.MaxPins:
			return journal.ErrTooManyPins
		case r.LooksLikeCard() && t.find(r) == nil:
			return errCardNumber
		}
		more = slices.Insert(slices.Clone(more), 0, t.unasked(r, now))
	}
	t.pins = more
	return nil
}

// unasked is a pinned payment of which nothing is known yet.
func (t *Tracker) unasked(r api.Reference, pinned time.Time) Entry {
	return Entry{Kind: journal.Initiate, LookedUp: true, Started: pinned, Reference: r, Flow: t.other(r), Pinned: true, PinnedAt: pinned}
}

// LoadPins reads what is pinned, by other consoles too. It does I/O: call it in a command.
func (t *Tracker) LoadPins(ctx context.Context) error {
	if t.store == nil {
		return nil
	}
	return t.readPins(ctx)
}

// readPins reads from the store what is pinned. Of two readings at once, the later counts.
func (t *Tracker) readPins(ctx context.Context) error {
	t.readingPins.Lock()
	defer t.readingPins.Unlock()
	stored, err := t.store.Pins(ctx)
	if err != nil {
		return err
	}
	var made []journal.Attempt
	for _, p := range stored {
		if p.Attempt != nil {
			made = append(made, *p.Attempt)
		}
	}
	t.readRefusals(ctx, made)
	t.mu.Lock()
	defer t.mu.Unlock()
	var pins []Entry
	for _, p := range stored {
		pins = append(pins, t.pin(p))
	}
	t.pins = pins
	return nil
}

// pin is a payment that the store has pinned, as it is known best.
func (t *Tracker) pin(p journal.Pin) Entry {
	e := t.unasked(p.Reference, p.At)
	e.Place = p.Destination
	if p.Lookup != nil {
		e = lookedUp(*p.Lookup)
	}
	if known := t.pinned(p.Reference); known != nil && known.LookedUp && known.SeenAt.After(e.SeenAt) {
		e = *known // the journal may not have been written
	}
	if p.Attempt != nil {
		e = t.entry(*p.Attempt)
	}
	e.Pinned, e.PinnedAt = true, p.At
	if p.Changed.At.After(e.Changed.At) {
		e.Changed = p.Changed
	}
	if ours := t.find(p.Reference); ours != nil && p.Changed.At.After(ours.Changed.At) {
		ours.Changed = p.Changed
	}
	return e
}

// marked is an entry with whether, and since when, its payment is pinned.
func (t *Tracker) marked(e Entry) Entry {
	e.Pinned, e.PinnedAt = false, time.Time{}
	if p := t.pinned(e.Reference); p != nil && e.Kind == journal.Initiate {
		e.Pinned, e.PinnedAt = true, p.PinnedAt
	}
	return e
}

// pinned is the pin of a payment; nil for none.
func (t *Tracker) pinned(r api.Reference) *Entry {
	for i := range t.pins {
		if t.pins[i].is(r) {
			return &t.pins[i]
		}
	}
	return nil
}

// answeredElsewhere changes the pin of a payment of which no entry is kept.
func (t *Tracker) answeredElsewhere(r api.Reference, got api.Transaction) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if p := t.pinned(r); p != nil {
		p.answered(got)
	}
}

// lookedUp is a payment that was made elsewhere, as the journal has it.
func lookedUp(l journal.Lookup) Entry {
	return Entry{
		Kind: journal.Initiate, LookedUp: true, Started: l.At, Place: l.Destination, Requested: l.Amount, Reference: l.Reference,
		Mismatch: l.Mismatch, Status: l.Status, SeenAt: l.AnsweredAt, Flow: flow.InitiatedElsewhere().Reported(l.Status.State),
	}
}
