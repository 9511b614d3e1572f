package session

import (
	"context"
	"errors"
	"slices"

	"paydesk/api"
	"paydesk/api/flow"
	"paydesk/api/journal"
)

// flushCustomerDone tells the journal what a person said of a payment. What it cannot write it says
// itself, and then nothing more is sent.
func (t *Tracker) flushCustomerDone(ctx context.Context, r api.Reference) {
	t.mu.Lock()
	done := t.customerDone[r]
	delete(t.customerDone, r)
	t.mu.Unlock()
	if done && t.store != nil {
		_ = t.store.CustomerDone(ctx, r)
	}
}

// lostID is the attempt that an error leaves open; "" when none is written down.
func lostID(err error) journal.ID {
	if lost := (*journal.UnresolvedAttempt)(nil); errors.As(err, &lost) {
		return lost.ID
	}
	return ""
}

// Reload reads what earlier runs and other consoles left, and what became since of what is
// open here. It does I/O: call it in a command.
func (t *Tracker) Reload(ctx context.Context) error {
	if t.store == nil {
		return nil
	}
	left, err := t.store.Unfinished(ctx)
	if err != nil {
		return err
	}
	for _, r := range t.closedElsewhere(left) {
		if a, err := t.store.Payment(ctx, r); err == nil {
			left = append(left, a)
		}
	}
	t.merge(left)
	return nil
}

// closedElsewhere are the payments that are open here and no longer in the journal.
func (t *Tracker) closedElsewhere(left []journal.Attempt) (closed []api.Reference) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, e := range t.entries {
		there := slices.ContainsFunc(left, func(a journal.Attempt) bool { return e.is(a.Reference) })
		if e.Reference != "" && e.Open() && !there {
			closed = append(closed, e.Reference)
		}
	}
	return closed
}

// merge puts what the journal says beside what is known here. Of a payment that both
// know, what is here is at least as new; what nobody knew here and the journal no longer
// lists was decided by a person.
func (t *Tracker) merge(left []journal.Attempt) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.entries = slices.DeleteFunc(t.entries, func(e Entry) bool {
		decided := func(a journal.Attempt) bool { return a.ID == e.ID && a.IsUnresolved() }
		return e.Unresolved && e.ID != "" && !slices.ContainsFunc(left, decided)
	})
	for _, a := range left {
		if a.Kind == journal.Finalize && slices.ContainsFunc(left, func(b journal.Attempt) bool {
			return b.Kind == journal.Initiate && b.Reference == a.Reference
		}) {
			continue // its payment is listed, at the step where it stands
		}
		at := slices.IndexFunc(t.entries, func(e Entry) bool {
			return e.ID == a.ID || a.Kind == journal.Initiate && e.is(a.Reference)
		})
		if at < 0 {
			t.entries = append(t.entries, entry(a))
			continue
		}
		e := &t.entries[at]
		if a.StatusAt.After(e.SeenAt) {
			e.Status, e.SeenAt, e.Flow = e.Status.Next(a.Status), a.StatusAt, e.Flow.Seen(a.Status.State)
		}
	}
	slices.SortStableFunc(t.entries, func(a, b Entry) int { return a.Started.Compare(b.Started) })
}

// entry is an attempt as the journal tells it, at the step where it stands.
func entry(a journal.Attempt) Entry {
	e := Entry{
		ID: a.ID, Kind: a.Kind, Started: a.At, Asked: a.Amount, Channel: a.Channel, Link: a.Link,
		Reference: a.Reference, Status: a.Status, SeenAt: a.StatusAt, Unresolved: a.IsUnresolved(),
	}
	if a.Card != "" {
		e.Masked = "•••• " + a.Card
	}
	if a.Kind == journal.Initiate && a.Reference != "" {
		e.Payment = api.Payment{Reference: a.Reference, Status: a.Status, BankAuth: a.BankAuth, Transfer: a.Account}
		if a.Challenged && a.BankAuth.IsZero() {
			e.Payment.BankAuthRefused = api.Clean("it was not kept")
		}
		e.Flow = resumed(a, e.Payment)
	}
	return e
}

// resumed is the flow of a payment after all that is written of it.
func resumed(a journal.Attempt, p api.Payment) flow.Flow {
	f := flow.Begin(a.Channel, a.Link).Initiated(p)
	if a.CustomerDone {
		f = f.CustomerDone()
	}
	if !a.FinalizeUnresolvedAt.IsZero() {
		f = f.FinalizeUnanswered(a.FinalizeUnresolvedAt)
	}
	if a.Finalized {
		f = f.Finalized()
	}
	return f
}
