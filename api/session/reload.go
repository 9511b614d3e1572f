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

// Reload checks that the journal can be written, and then reads it as [Tracker.Latest] does. It does I/O: call it in a command.
func (t *Tracker) Reload(ctx context.Context) error {
	t.rec.Check(ctx)
	return t.Latest(ctx)
}

// Latest reads the journal as [Tracker.Refresh] does, and the latest payments, whatever became of them. It does I/O: call it in a
// command.
func (t *Tracker) Latest(ctx context.Context) error {
	recent, err := t.rec.Journal().Recent(ctx, t.rec.Place(ctx), maxLatest)
	if err != nil {
		return err
	}
	var latest []api.Reference
	for _, r := range recent {
		latest = append(latest, r.Reference)
	}
	if err := t.refresh(ctx, latest); err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	for i := range t.entries {
		t.entries[i].latest = false
	}
	for _, r := range latest {
		if i := t.index(r); i >= 0 {
			t.entries[i].latest = true
		}
	}
	return nil
}

// maxLatest limits how many payments are read because they are the latest: of those made here, and of those looked up.
const maxLatest = 20

// Refresh reads what earlier runs and other consoles left open, how what is known here changed there, and what is pinned. It
// does I/O: call it in a command.
func (t *Tracker) Refresh(ctx context.Context) error { return t.refresh(ctx, nil) }

// refresh also reads some payments that are not known yet.
func (t *Tracker) refresh(ctx context.Context, more []api.Reference) error {
	t.reading.Lock()
	defer t.reading.Unlock()
	known := slices.Clone(more)
	t.mu.Lock()
	for _, e := range t.entries {
		if e.Reference != "" && (e.Kind == ledger.Initiate || e.latest) {
			known = append(known, e.Reference)
		}
	}
	t.mu.Unlock()
	read, err := t.rec.Journal().View(ctx, t.rec.Place(ctx), known)
	if err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.entries = slices.DeleteFunc(t.entries, func(e Entry) bool { // resolved, read, or no longer found as a payment
		return !e.IsElsewhere() && !e.isLostIn(ledger.Entry{}) && !slices.ContainsFunc(read, func(r ledger.Entry) bool { return r.ID == e.ID })
	})
	for i := range t.entries {
		t.entries[i].PinnedAt, t.entries[i].PinnedBy = time.Time{}, ledger.Operator{}
	}
	for _, r := range read {
		if r.Kind == ledger.Known && !r.IsPinned() && t.index(r.Reference) < 0 && !slices.Contains(more, r.Reference) {
			continue // it is no longer found as this payment
		}
		e := t.put(r, nil)
		e.PinnedAt, e.PinnedBy = r.PinnedAt, r.PinnedBy // also of a payment that the journal has lost
		e.listed = e.listed || e.Open()
	}
	t.sort()
	return nil
}

func (t *Tracker) sort() {
	slices.SortStableFunc(t.entries, func(a, b Entry) int { return a.At.Compare(b.At) })
}

// flushCustomerDone records in the journal what a person reported about a payment. The journal
// reports its own failures, and nothing more is sent after one; the next request about the payment tries again.
func (t *Tracker) flushCustomerDone(ctx context.Context, r api.Reference) {
	if e, _ := t.find(r); !e.done {
		return
	}
	t.change(r, func(e *Entry) { e.done = false })
	if err := t.rec.CustomerDone(ctx, r); err != nil {
		t.change(r, func(e *Entry) { e.done = true })
		return
	}
	t.change(r, func(e *Entry) {
		e.unwritten = slices.DeleteFunc(slices.Clone(e.unwritten), func(f ledger.Fact) bool {
			_, done := f.What.(ledger.CustomerDone)
			return done && !e.IsElsewhere()
		})
	})
	_ = t.recall(ctx, r)
}

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
