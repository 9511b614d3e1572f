package session

import (
	"context"
	"maps"
	"slices"
	"time"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/ledger"
)

// Reload reads what earlier runs and other consoles left open, how what is known here changed there, and what is pinned. It
// does I/O: call it in a command.
func (t *Tracker) Reload(ctx context.Context) error {
	t.reading.Lock()
	left, err := t.rec.Unfinished(ctx)
	if err == nil {
		err = t.follow(ctx, left)
	}
	t.reading.Unlock()
	if err != nil {
		return err
	}
	return t.LoadPins(ctx)
}

// follow brings the entries up to date with what is left open in the journal. An unresolved entry that it no longer lists
// was resolved by a person, and a link was read.
func (t *Tracker) follow(ctx context.Context, left []ledger.Attempt) error {
	isOpen := func(r api.Reference) bool {
		return slices.ContainsFunc(left, func(a ledger.Attempt) bool { return a.Kind == ledger.Initiate && a.Reference == r })
	}
	var closed []api.Reference // of payments made here that are no longer open there
	t.mu.Lock()
	for _, e := range t.entries {
		if e.Kind == ledger.Initiate && e.Reference != "" && !isOpen(e.Reference) {
			closed = append(closed, e.Reference)
		}
	}
	t.mu.Unlock()
	standing, err := t.rec.Journal().Standing(ctx, t.rec.Place(ctx), closed)
	if err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	isTaken := func(e Entry) bool { // a person has found a payment by this reference, and took that back
		now := standing[e.Reference]
		return slices.Contains(closed, e.Reference) && now.Kind != ledger.Initiate && !e.IsElsewhere() && !e.isLostIn(now)
	}
	t.entries = slices.DeleteFunc(t.entries, func(e Entry) bool {
		listed := func(a ledger.Attempt) bool { return a.ID == e.ID }
		return isTaken(e) ||
			(e.IsUnresolved() || e.MustBeRead()) && !slices.ContainsFunc(left, listed)
	})
	for _, a := range left {
		if a.Kind == ledger.Finalize && isOpen(a.Reference) {
			continue // its payment is listed, at its current step
		}
		read := ledger.Entry{Attempt: a}
		if i := t.index(a.Reference); i >= 0 { // what is pinned is read after this
			read.PinnedAt, read.PinnedBy = t.entries[i].PinnedAt, t.entries[i].PinnedBy
		}
		t.put(read, nil).listed = true
	}
	for _, now := range standing {
		if now.Kind == ledger.Initiate {
			t.put(now, nil)
		}
	}
	slices.SortStableFunc(t.entries, func(a, b Entry) int { return a.At.Compare(b.At) })
	return nil
}

// flushCustomerDone records in the journal what a person reported about a payment. The journal
// reports its own failures, and nothing more is sent after one.
func (t *Tracker) flushCustomerDone(ctx context.Context, r api.Reference) {
	if e, _ := t.find(r); !e.done {
		return
	}
	t.change(r, func(e *Entry) { e.done = false })
	if err := t.rec.CustomerDone(ctx, r); err == nil {
		t.change(r, func(e *Entry) {
			e.unwritten = slices.DeleteFunc(slices.Clone(e.unwritten), func(f ledger.Fact) bool {
				_, done := f.What.(ledger.CustomerDone)
				return done && !e.IsElsewhere()
			})
		})
		_ = t.recall(ctx, r)
	}
}

// Recent lists the latest payments that were made, found or looked up here, in earlier runs too. It does I/O: call it
// in a command.
func (t *Tracker) Recent(ctx context.Context) (all []Entry, err error) {
	recent, err := t.rec.Journal().Recent(ctx, t.rec.Place(ctx), maxRecent)
	for _, read := range recent {
		e, known := t.find(read.Reference)
		if !known {
			e = Entry{Entry: read, Sent: t.Again(read.Attempt)}
		}
		all = append(all, e)
	}
	return all, err
}

// maxRecent limits how many payments of a kind [Tracker.Recent] lists.
const maxRecent = 20

// Made returns what was made from here since a time and before another, by currency. It does I/O: call it in a command.
func (t *Tracker) Made(ctx context.Context, from, to time.Time) ([]journal.Made, error) {
	return t.rec.Journal().Made(ctx, t.rec.Place(ctx), from, to)
}

// Differing returns all payments about which an answer differed, and how, in this run or as the journal has it, whatever
// was decided about it. It does I/O: call it in a command.
func (t *Tracker) Differing(ctx context.Context) (map[api.Reference]ledger.Mismatch, error) {
	recorded, err := t.rec.Journal().Differing(ctx, t.rec.Place(ctx))
	all := map[api.Reference]ledger.Mismatch{}
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, e := range t.entries { // also where the journal cannot be written
		if e.Reference != "" && !e.Mismatch.IsZero() {
			all[e.Reference] = e.Mismatch
		}
	}
	maps.Copy(all, recorded)
	return all, err
}

// CardLike returns the references of payments made from here that look like card numbers.
func (t *Tracker) CardLike(ctx context.Context) ([]api.Reference, error) {
	return t.rec.Journal().CardLike(ctx, t.rec.Place(ctx))
}

// Respelled returns the reference of a payment made from here that differs from r in the case of letters
// alone, "" for none.
func (t *Tracker) Respelled(ctx context.Context, r api.Reference) (api.Reference, error) {
	return t.rec.Journal().Respelled(ctx, t.rec.Place(ctx), r)
}
