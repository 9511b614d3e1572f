package session

import (
	"context"
	"errors"
	"slices"

	"paydesk/api"
	"paydesk/api/flow"
	"paydesk/api/journal"
)

// flushCustomerDone records in the journal what a person reported about a payment. The journal
// reports its own failures, and nothing more is sent after one.
func (t *Tracker) flushCustomerDone(ctx context.Context, r api.Reference) {
	t.mu.Lock()
	done := t.customerDone[r]
	delete(t.customerDone, r)
	t.mu.Unlock()
	if done && t.store != nil {
		_ = t.store.CustomerDone(ctx, r)
		_ = t.readTimeline(ctx, r)
	}
}

// Reload reads what earlier runs and other consoles left open, and how payments that are open here
// changed elsewhere. It does I/O: call it in a command.
func (t *Tracker) Reload(ctx context.Context) error {
	if t.store == nil {
		return nil
	}
	left, err := t.store.Unfinished(ctx)
	if err != nil {
		return err
	}
	var taken []api.Reference // back: no attempt was found as these any more
	for _, r := range t.resolvedElsewhere(left) {
		switch a, err := t.store.Payment(ctx, r); {
		case err == nil:
			left = append(left, a)
		case errors.Is(err, journal.ErrNotFound):
			taken = append(taken, r)
		}
	}
	t.readRefusals(ctx, left)
	t.merge(left, taken)
	return t.readPins(ctx)
}

// recall reads what the journal has of a payment, also of one that was final in an earlier run. It
// does I/O.
func (t *Tracker) recall(ctx context.Context, r api.Reference) {
	if t.store == nil {
		return
	}
	if a, err := t.store.Payment(ctx, r); err == nil {
		t.readRefusals(ctx, []journal.Attempt{a})
		t.mu.Lock()
		defer t.mu.Unlock()
		t.add(a, true)
	}
}

// resolvedElsewhere are the payments that are open here, or were found, but are not open in the
// journal.
func (t *Tracker) resolvedElsewhere(left []journal.Attempt) (closed []api.Reference) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, e := range t.entries {
		there := slices.ContainsFunc(left, func(a journal.Attempt) bool { return e.is(a.Reference) })
		if e.Reference != "" && (e.Open() || e.ID != "") && !there {
			closed = append(closed, e.Reference)
		}
	}
	return closed
}

// merge combines the journal's attempts with the entries. Of a payment in both, the entry is at
// least as new, unless a person decided otherwise. An unresolved entry that the journal no longer lists
// was resolved by a person, and a link was read; taken are references that a person took back.
func (t *Tracker) merge(left []journal.Attempt, taken []api.Reference) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.entries = slices.DeleteFunc(t.entries, func(e Entry) bool {
		open := func(a journal.Attempt) bool {
			return a.ID == e.ID && a.IsUnresolved() == e.Unresolved && a.MustBeRead() == e.Unread
		}
		return e.ID != "" && slices.Contains(taken, e.Reference) ||
			(e.Unresolved && e.ID != "" || e.Unread) && !slices.ContainsFunc(left, open)
	})
	for _, a := range left {
		if a.Kind == journal.Finalize && slices.ContainsFunc(left, func(b journal.Attempt) bool {
			return b.Kind == journal.Initiate && b.Reference == a.Reference
		}) {
			continue // its payment is listed, at its current step
		}
		t.add(a, false)
	}
	slices.SortStableFunc(t.entries, func(a, b Entry) int { return a.Started.Compare(b.Started) })
}

// add adds an attempt of the journal, or combines it with its entry.
func (t *Tracker) add(a journal.Attempt, recalled bool) {
	at := slices.IndexFunc(t.entries, func(e Entry) bool {
		return e.ID == a.ID || a.Kind == journal.Initiate && e.is(a.Reference)
	})
	if at < 0 {
		e := t.entry(a)
		e.recalled = recalled
		t.entries = append(t.entries, e)
		return
	}
	e := &t.entries[at]
	if e.ID != "" && (e.ID != a.ID || e.Reference != a.Reference || e.Unresolved != a.IsUnresolved()) {
		recalled, sent := recalled && e.recalled, e.Sent
		same := e.ID == a.ID
		*e = t.entry(a) // a person decided otherwise
		if e.recalled = recalled; same {
			e.Sent = sent
		}
		return
	}
	if a.Kind == journal.Initiate && a.Finalized != e.Flow.IsFinalized() {
		acted := e.Flow.CustomerActed()
		if e.Flow = restoreFlow(a, e.Payment); acted {
			e.Flow = e.Flow.CustomerDone()
		}
		e.Flow = e.Flow.Reported(e.Status.State)
	}
	if a.StatusAt.After(e.SeenAt) {
		e.Status, e.SeenAt, e.Flow = e.Status.Next(a.Status), a.StatusAt, e.Flow.Reported(a.Status.State)
	}
	e.ID, e.NotFollowed = a.ID, a.Decision == journal.NotFollowed // for one of this run it was not known
	e.Lease, e.By = a.Lease, a.By
	if !a.Mismatch.IsZero() {
		e.Mismatch = a.Mismatch
	}
}

// entry is an attempt from the journal, at its current step.
func (t *Tracker) entry(a journal.Attempt) Entry {
	e := Entry{
		ID: a.ID, Kind: a.Kind, Started: a.At, Place: a.Destination, Requested: a.Amount, Channel: a.Channel, Link: a.Link,
		Reference: a.Reference, Status: a.Status, SeenAt: a.StatusAt, Unresolved: a.IsUnresolved(), Unread: a.MustBeRead(),
		Mismatch: a.Mismatch, OwnReference: a.OwnReference, Lease: a.Lease, By: a.By,
		NotFollowed: a.Decision == journal.NotFollowed, CustomerChooses: a.CustomerChooses(),
	}
	e.Sent = asSent(a)
	if a.Card != "" {
		e.Masked = "•••• " + a.Card
	}
	if a.Kind == journal.Initiate && a.Reference != "" {
		e.Payment = api.Payment{Reference: a.Reference, Status: a.Status, BankAuth: a.BankAuth, Transfer: a.Account}
		e.Payment.BankAuthRefused = t.refused[a.Reference]
		e.Flow = restoreFlow(a, e.Payment)
		e.Payment.Fees, e.Payment.Total = a.Asked().Fees, a.Asked().Total
		if a.StatusAt.After(a.AnsweredAt) {
			e.Payment.Status = api.Status{} // it is what was answered later
		}
	}
	return e
}

// restoreFlow is the flow of a payment after everything that is recorded of it.
func restoreFlow(a journal.Attempt, p api.Payment) flow.Flow {
	f := flow.Begin(a.Channel, a.Link).Initiated(p)
	if a.Challenged { // by its answer, or by an authentication check
		f = f.Authenticated(api.Authentication{Enabled: true}).Reported(p.Status.State)
	}
	if a.CustomerDone {
		f = f.CustomerDone()
	}
	if !a.FinalizeUnresolvedAt.IsZero() {
		f = f.FinalizeUnresolved(a.FinalizeUnresolvedAt)
	}
	if a.Finalized {
		f = f.Finalized()
	}
	return f
}
