package ledger

import (
	"errors"
	"slices"
	"time"

	"paydesk/api"
)

// MaxPins is how many payments can be pinned at one destination.
const MaxPins = 200

// ErrTooManyPins is the error of pinning more than [MaxPins] payments; none of them is pinned then.
var ErrTooManyPins = errors.New("at most 200 payments can be pinned; unpin some first")

// Pinned is that somebody keeps an eye on a payment. It is a fact of a [Known], also where the payment was made here.
type Pinned struct{}

func (Pinned) fold(e *Entry, f Fact) []Event {
	e.PinnedAt, e.PinnedBy = f.At, f.By
	return nil
}

// Unpinned is that nobody does any more.
type Unpinned struct{}

func (Unpinned) fold(e *Entry, _ Fact) []Event {
	e.PinnedAt, e.PinnedBy = time.Time{}, Operator{}
	return nil
}

// IsPinned reports whether somebody keeps an eye on a payment.
func (e Entry) IsPinned() bool { return !e.PinnedAt.IsZero() }

// Pin returns the facts that those of the payments at a destination are pinned that are not pinned yet. concerned are all
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
		if err := RejectCardNumber(string(r)); err != nil && !made {
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
		if e.IsPinned() && e.IsSameService(d) && slices.Contains(payments, e.Reference) {
			all = append(all, c.Fact(e.ID, Unpinned{}))
		}
	}
	return all
}
