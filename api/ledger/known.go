package ledger

import (
	"errors"
	"slices"
	"time"

	"paydesk/api"
)

// MaxPins limits how many payments can be pinned at one destination.
const MaxPins = 200

// ErrTooManyPins is the error of pinning more than [MaxPins] payments; none of them is pinned then.
var ErrTooManyPins = errors.New("at most 200 payments can be pinned; unpin some first")

// Pinned says that a person keeps an eye on a payment. It is a fact of a [Known], also where the payment was made here.
type Pinned struct{}

func (Pinned) fold(e *Entry, f Fact) []Event {
	e.PinnedAt, e.PinnedBy = f.At, f.By
	return nil
}

// Unpinned takes the pin off.
type Unpinned struct{}

func (Unpinned) fold(e *Entry, _ Fact) []Event {
	e.PinnedAt, e.PinnedBy = time.Time{}, Operator{}
	return nil
}

// IsPinned reports whether a person keeps an eye on a payment.
func (e Entry) IsPinned() bool { return !e.PinnedAt.IsZero() }

// Pin returns the facts that pin the payments at a destination that are not pinned yet. concerned are all
// that are pinned there, and all that have one of these references; newID is for those that are not known. The error is
// [ErrTooManyPins] when they do not all fit. A reference that looks like a card number is rejected, unless a payment was
// made here that has it.
func (c Console) Pin(d Destination, payments []api.Reference, newID func() ID, concerned []Entry) (all []Fact, err error) {
	pinned := map[api.Reference]bool{}
	for _, e := range concerned {
		if e.IsPinned() {
			pinned[e.Reference] = true
		}
	}
	for _, r := range payments {
		if pinned[r] {
			continue
		}
		if pinned[r] = true; len(pinned) > MaxPins {
			return nil, ErrTooManyPins
		}
		made := slices.ContainsFunc(concerned, func(e Entry) bool { return e.Kind == Initiate && e.concerns(d, r) })
		if err := rejectCardNumber(string(r)); err != nil && !made {
			return nil, err
		}
		id := newID()
		if i := slices.IndexFunc(concerned, func(e Entry) bool { return e.Kind == Known && e.concerns(d, r) }); i >= 0 {
			id = concerned[i].ID
		} else {
			all = append(all, c.Fact(id, Noticed{d.Stored(), r}))
		}
		all = append(all, c.Fact(id, Pinned{}))
		c.Now = c.Now.Add(1) // what is pinned at once stays in its order
	}
	return all, nil
}

// Unpin returns the facts that payments at a destination are no longer pinned. concerned are those that have one of these
// references.
func (c Console) Unpin(d Destination, payments []api.Reference, concerned []Entry) (all []Fact) {
	for _, e := range concerned {
		if e.IsPinned() && slices.ContainsFunc(payments, func(r api.Reference) bool { return e.concerns(d, r) }) {
			all = append(all, c.Fact(e.ID, Unpinned{}))
		}
	}
	return all
}

// Noticed is that a payment which no attempt made was first looked up or pinned. It is the first fact of a [Known].
type Noticed struct {
	Destination
	Reference api.Reference `json:"reference"`
}

func (n Noticed) fold(e *Entry, f Fact) []Event {
	*e = Entry{Attempt: Attempt{ID: f.Of, Kind: Known, At: f.At, By: f.By, Destination: n.Destination, Reference: n.Reference}}
	return nil
}

// Look returns the facts that the service answered about a payment. concerned are those with its reference; id is for one
// that is not known yet. A reference that looks like a card number may be one that was
// typed, and is not recorded.
func (c Console) Look(d Destination, got api.PaymentStatus, id ID, concerned []Entry) []Fact {
	all := c.Happened(d, got.Reference, Checked{got}, concerned)
	if len(all) > 0 || rejectCardNumber(string(got.Reference)) != nil {
		return all
	}
	return []Fact{c.Fact(id, Noticed{d.Stored(), got.Reference}), c.Fact(id, Checked{got})}
}

// Happened returns the facts that something happened to a payment. They belong to the attempts that made it; without one,
// to the entry of what is known of it. concerned are the entries with its reference.
func (c Console) Happened(d Destination, r api.Reference, what Happening, concerned []Entry) (all []Fact) {
	for _, k := range []Kind{Initiate, Known} {
		for _, e := range concerned {
			if e.Kind == k && e.concerns(d.Stored(), r) {
				all = append(all, c.Fact(e.ID, what))
			}
		}
		if len(all) > 0 {
			break
		}
	}
	return all
}

// withLookup returns a fact about an attempt, and where that gives it a reference what was answered about the payment before
// that was known here: a final status stays, whatever the answer to the initiation says, and so does an amount that is not this
// attempt's. concerned are those with the reference.
func (c Console) withLookup(e Entry, concerned []Entry, f Fact) []Fact {
	all, was := []Fact{f}, e.Reference
	if e.Add(nil, f); e.Kind != Initiate || e.Reference == was || !e.Mismatch.IsZero() {
		return all
	}
	for _, o := range concerned {
		if o.Kind != Known || !o.concerns(e.Destination, e.Reference) {
			continue
		}
		before := api.PaymentStatus{
			Reference: e.Reference, Status: o.Status, Amount: o.Amount, HasAmount: !o.Amount.Currency.IsZero(),
			Received: o.Received.Amount, ReceivedText: o.Received.Text,
		}
		if differs := !before.Compare(e.Asked()).IsZero(); differs || o.Status.State.Final() {
			before.HasAmount = before.HasAmount && (differs || !o.AmountUnstated)
			return append(all, c.Fact(e.ID, Checked{before}))
		}
	}
	return all
}
