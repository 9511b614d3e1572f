package session

import (
	"context"
	"slices"
	"time"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/money"
	"paydesk/api/watch"
)

// Timeline returns the events of a payment as far as they were read or seen in this run, oldest first.
// It does no I/O: [Tracker.Recall] reads what the journal has.
func (t *Tracker) Timeline(r api.Reference) []journal.Event {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.timelines[r])
}

// Recall reads what the journal has of a payment, wherever it was made. It does I/O: call it in a
// command.
func (t *Tracker) Recall(ctx context.Context, r api.Reference) error {
	t.recall(ctx, r)
	t.readAmount(ctx, r)
	return t.readTimeline(ctx, r)
}

// readAmount reads what an earlier run was told that a payment made elsewhere is for.
func (t *Tracker) readAmount(ctx context.Context, r api.Reference) {
	if t.store == nil {
		return
	}
	l, err := t.store.Lookup(ctx, r)
	if err != nil || l.Amount.Currency.IsZero() {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.reported[r].Currency.IsZero() {
		t.reported[r] = l.Amount
	}
}

// readTimeline reads the events of a payment, and of one made elsewhere whether it was finalized.
func (t *Tracker) readTimeline(ctx context.Context, r api.Reference) error {
	if t.store == nil {
		return nil
	}
	events, err := t.store.Timeline(ctx, r)
	if err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.timelines[r] = events
	if sent, lost := journal.LostFinalize(events); lost && t.find(r) == nil {
		t.others[r] = t.other(r).FinalizeUnresolved(sent.Until)
	}
	return nil
}

// note keeps events that were just seen. The journal has them too, unless there is none or it could not
// be written; it is read again when they are more than a repetition of the last.
func (t *Tracker) note(ctx context.Context, r api.Reference, seen ...journal.Event) {
	t.mu.Lock()
	had, known := t.timelines[r]
	t.mu.Unlock()
	if known && len(journal.WithEvents(had, seen...)) == len(had) {
		return
	}
	if err := t.readTimeline(ctx, r); err == nil && t.store != nil {
		// A deed is recorded before it is done. An answer may not be.
		seen = slices.DeleteFunc(seen, func(e journal.Event) bool { return e.Until.IsZero() })
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.timelines[r] = journal.WithEvents(t.timelines[r], seen...)
}

// answerEvents are those of an answer of the status endpoint. A payment made elsewhere is compared with
// the last status that is known of it.
func (t *Tracker) answerEvents(r api.Reference, was Entry, ours bool, got api.Transaction) (seen []journal.Event) {
	now, source := time.Now(), journal.FromCheck
	asked := was.Asked()
	if !ours {
		source = journal.FromLookup
		asked = t.askedElsewhere(r)
	}
	differs := got.Compare(asked)
	if e, is := journal.MismatchEvent(was.Mismatch, was.Mismatch.After(differs, got.HasAmount, now), differs, asked, got.Amount, source, now); is {
		seen = append(seen, e)
	}
	if differs.What&api.ReferenceDiffers == 0 {
		seen = append(seen, journal.StatusEvent(got.Status, source, now))
	}
	return seen
}

// noteDifference keeps how an answer about a payment that was made elsewhere differs.
func (t *Tracker) noteDifference(r api.Reference, got api.Transaction) {
	differs := got.Compare(t.askedElsewhere(r))
	t.mu.Lock()
	defer t.mu.Unlock()
	if d := t.differed[r].Then(differs); !d.IsZero() {
		t.differed[r] = d
	}
}

// askedElsewhere is what an answer about a payment that was made elsewhere is compared with: what earlier ones said.
func (t *Tracker) askedElsewhere(r api.Reference) api.Asked {
	t.mu.Lock()
	defer t.mu.Unlock()
	return api.Asked{Reference: r, Earlier: t.reported[r], Status: journal.LastStatus(t.timelines[r])}
}

// keepAmount keeps the amount in an answer about a payment that was made elsewhere, for the next one.
func (t *Tracker) keepAmount(asked api.Asked, got api.Transaction) {
	if !got.HasAmount || got.Compare(asked).What&api.ReferenceDiffers != 0 {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.reported[asked.Reference] = got.Amount
}

// Mismatches are those of the payments about which an answer differed, in this run or as the journal has it. It
// does I/O: call it in a command.
func (t *Tracker) Mismatches(ctx context.Context, payments []api.Reference) (all map[api.Reference]journal.Mismatch, err error) {
	if t.store != nil {
		all, err = t.store.Mismatches(ctx, payments)
	}
	if all == nil {
		all = map[api.Reference]journal.Mismatch{}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, r := range payments {
		if stored := all[r]; !stored.IsZero() {
			continue
		}
		m := journal.Mismatch{Difference: t.differed[r]}
		if known := t.find(r); known != nil {
			m = known.Mismatch
		}
		if !m.IsZero() {
			all[r] = m
		}
	}
	return all, err
}

// Differing are all payments about which an answer differed, in this run or as the journal has it, whatever was decided
// about it. It does I/O: call it in a command.
func (t *Tracker) Differing(ctx context.Context) (all []api.Reference, err error) {
	if t.store != nil {
		all, err = t.store.Differing(ctx)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	for r := range t.differed {
		all = append(all, r)
	}
	for _, e := range t.entries {
		if e.Reference != "" && !e.Mismatch.IsZero() {
			all = append(all, e.Reference)
		}
	}
	return all, err
}

// initiationEvents are those of an initiation that was accepted.
func initiationEvents(began time.Time, e Entry) []journal.Event {
	seen := []journal.Event{{At: began, Times: 1, What: string(journal.Sent), Source: journal.FromConsole}}
	if refused := e.Payment.BankAuthRefused; !refused.Empty() {
		seen = append(seen, journal.Event{At: e.SeenAt, Times: 1, What: journal.URLRefused, Detail: refused.Line(0), Source: journal.FromInitiation})
	}
	differs := e.Payment.Difference
	if m, is := journal.MismatchEvent(journal.Mismatch{}, e.Mismatch, differs, e.Asked(), money.Amount{}, journal.FromInitiation, e.SeenAt); is {
		seen = append(seen, m)
	}
	return append(seen, journal.StatusEvent(e.Payment.Status, journal.FromInitiation, e.SeenAt))
}

// finalizeEvents are those of a finalize that was sent, none of one that was not.
func finalizeEvents(began time.Time, lost bool, err error) []journal.Event {
	outcome, now := journal.Accepted, time.Now()
	switch {
	case lost:
		outcome = journal.Unresolved
	case err != nil:
		outcome = api.OutcomeOf(err)
	}
	if outcome == journal.NotSent {
		return nil
	}
	return []journal.Event{journal.FinalizeEvent(journal.Sent, "", began), journal.FinalizeEvent(outcome, journal.Reason(err), now)}
}

// readRefusals reads why the bank's URLs of payments of earlier runs cannot be used.
func (t *Tracker) readRefusals(ctx context.Context, left []journal.Attempt) {
	for _, a := range left {
		t.mu.Lock()
		_, known := t.refused[a.Reference]
		t.mu.Unlock()
		if known || !a.Challenged || !a.BankAuth.IsZero() {
			continue
		}
		events, err := t.store.Timeline(ctx, a.Reference)
		if err != nil {
			continue
		}
		var why api.Text
		for _, e := range events {
			if e.What == journal.URLRefused {
				why = api.Clean(e.Detail)
			}
		}
		t.mu.Lock()
		t.refused[a.Reference] = why
		t.mu.Unlock()
	}
}

// wasRead reports whether the journal was asked about a payment in this run.
func (t *Tracker) wasRead(r api.Reference) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	_, read := t.timelines[r]
	return read
}

// MismatchOf is how the service answered something else about a payment than was asked, as far as is known
// here: of one that was made here as recorded, of another from the answers of its watch or else its timeline.
func MismatchOf(e Entry, ours bool, s watch.State, timeline []journal.Event) journal.Mismatch {
	switch {
	case ours && !e.Mismatch.IsZero():
		return e.Mismatch
	case s.Difference.IsZero() && !ours:
		return journal.RecordedMismatch(timeline)
	}
	return journal.Mismatch{Difference: s.Difference}
}
