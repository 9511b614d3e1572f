package session

import (
	"time"

	"paydesk/api"
	"paydesk/api/flow"
	"paydesk/api/journal"
	"paydesk/api/money"
	"paydesk/api/watch"
)

// An Entry is one attempt that was made here.
type Entry struct {
	ID        journal.ID // "" without a journal
	Kind      journal.Kind
	Started   time.Time
	Place     journal.Destination // where the journal says it was sent; zero when it was in this run
	Requested money.Amount
	// CustomerChooses is set for a link whose customer was to choose the amount.
	CustomerChooses bool
	Channel         string
	Link            api.Alias
	Masked          string        // the card, masked; "" for other channels
	Reference       api.Reference // "" while it is not known whether there is a payment
	Flow            flow.Flow
	Payment         api.Payment // the response to the initiation
	Status          api.Status  // the last one reported, or the final one
	Received        api.Receipt // as the service last said in this run
	SeenAt          time.Time   // when the service last reported a status
	// Unresolved is set while it is not known whether the payment was made, Lease is who finds that out.
	Unresolved bool
	Lease      journal.Lease
	By         journal.Operator // who made it; zero where the journal has not said so
	// Mismatch is how the service answered something else than was asked.
	Mismatch     journal.Mismatch
	OwnReference string // "" when none was sent
	// Unread is set while nobody has read how a link that was created differs from what was asked.
	Unread bool
	// LookedUp is set for a payment that was made elsewhere, or before the journal: Started is when it was first found.
	LookedUp bool
	// Pinned is set for a payment that is on the watch board, wherever it was made.
	Pinned   bool
	PinnedAt time.Time
	// Changed is how its status last changed: in this run, and of a pinned payment in earlier ones.
	Changed journal.Change
	// NotFollowed is set once a person has decided that nobody needs to see how it ends.
	NotFollowed bool
	// Sent is the payment as it was sent, without its card; of another run only what the journal has.
	Sent api.Initiation
	// recalled is set for a payment of an earlier run that was opened here.
	recalled bool
}

// Open reports whether the entry still needs attention.
func (e Entry) Open() bool {
	switch {
	case e.LookedUp:
		return false
	case e.Unresolved, e.Unread, e.Mismatch.Undecided():
		return true
	case e.Mismatch.Decision == journal.NotOurs, e.NotFollowed:
		return false
	}
	return !e.Flow.State().Final()
}

// Asked is what answers about the payment are compared with. Of one made elsewhere only the reference and
// what earlier answers said are known.
func (e Entry) Asked() api.Asked {
	if e.LookedUp {
		return api.Asked{Reference: e.Reference, Earlier: e.Requested, Status: e.Status}
	}
	return api.Asked{
		Reference: e.Reference, OwnReference: e.OwnReference, Amount: e.Requested,
		Fees: e.Payment.Fees, Total: e.Payment.Total, Status: e.Status,
	}
}

// Circumstances are what the meaning of its status depends on.
func (e Entry) Circumstances(now time.Time) api.Circumstances {
	return api.Circumstances{
		Channel: e.Channel, Account: e.Payment.Transfer, AwaitsFinalize: e.Flow.NeedsFinalize(),
		Unpaid: e.Flow.IsTransfer() && e.Flow.CustomerMustAct(), InDoubt: e.Mismatch.InDoubt(), Now: now,
	}
}

// answered changes the entry by an answer about its payment. One about another payment says nothing
// about the status of this one.
func (e *Entry) answered(got api.Transaction) {
	now, differs := time.Now(), got.Compare(e.Asked())
	e.Mismatch = e.Mismatch.After(differs, got.HasAmount, now)
	if differs.What&api.ReferenceDiffers != 0 {
		return
	}
	if e.LookedUp && got.HasAmount {
		e.Requested = got.Amount
	}
	e.Changed = journal.Change{Was: e.Changed.Was, Is: e.Status, At: e.Changed.At}.After(got.Status, now)
	e.SeenAt, e.Received = now, api.Receipt{Amount: got.Received, Text: got.ReceivedText}
	e.Status, e.Flow = e.Status.Next(got.Status), e.Flow.Reported(got.Status.State)
}

// is reports whether the entry is the payment with a reference.
func (e Entry) is(r api.Reference) bool {
	return e.Kind == journal.Initiate && r != "" && e.Reference == r
}

// Subject is the entry as its watch needs it; the zero subject is that of a payment made elsewhere.
func (e Entry) Subject() watch.Subject {
	if e.Reference == "" {
		return watch.Subject{}
	}
	return watch.Subject{
		Ours: true, Asked: e.Asked(), Difference: e.Mismatch.Difference, Started: e.Started, Initiated: e.Payment,
		Status: e.Status, SeenAt: e.SeenAt, Finalized: e.Flow.IsFinalized(),
	}
}
