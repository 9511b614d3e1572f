package session

import (
	"slices"

	"paydesk/api"
	"paydesk/api/ledger"
)

// withoutCard is a payment as it was sent, for a person who collects it again: without its card, and
// without our reference, which names one payment only.
func withoutCard(in api.Initiation) api.Initiation {
	in.Card, in.OwnReference, in.MetaData = nil, "", slices.Clone(in.MetaData)
	return in
}

// keptInitiations limits how many payments are kept as they were sent; the oldest are forgotten first.
const keptInitiations = 1_000

// An initiation is a payment as it was sent in this run, with the ID of its attempt.
type initiation struct {
	of ledger.ID
	in api.Initiation
}

// keepInitiation keeps what a payment asked for, also one that came to nothing, which has no entry. A payment without an ID was
// not recorded, for example because the gate stopped it, and is never asked for again.
func (t *Tracker) keepInitiation(of ledger.ID, in api.Initiation) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if of == "" {
		return
	}
	t.initiations = append(t.initiations, initiation{of, withoutCard(in)})
	if len(t.initiations) > keptInitiations {
		t.initiations = slices.Delete(t.initiations, 0, 1)
	}
}

// asSent returns what an attempt sent. Of an attempt of this run it has everything but the card; of an earlier one it has what
// the journal keeps, which leaves out the customer. The caller holds t.mu.
func (t *Tracker) asSent(a ledger.Attempt) api.Initiation {
	for _, kept := range slices.Backward(t.initiations) {
		if kept.of == a.ID {
			return kept.in
		}
	}
	return api.Initiation{Amount: a.Amount, Channel: a.Channel, Link: a.Link}
}

// Again returns what an attempt sent, without its card: all of it for a payment of this run, and for others
// what the journal has.
func (t *Tracker) Again(a ledger.Attempt) api.Initiation {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.asSent(a)
}

// LastCustomer is the customer of the last payment that was to be sent in this run; zero before the first.
func (t *Tracker) LastCustomer() api.Customer {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.lastCustomer
}
