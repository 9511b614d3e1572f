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

// asSent is what the journal has of what was sent: it has no customer.
func asSent(a ledger.Attempt) api.Initiation {
	return api.Initiation{Amount: a.Amount, Channel: a.Channel, Link: a.Link}
}

// Again is what an attempt sent, without its card: all of it for a payment of this run, and for others
// what the journal has.
func (t *Tracker) Again(a ledger.Attempt) api.Initiation {
	if e, ours := t.Find(a.Reference); ours {
		return e.Sent
	}
	return asSent(a)
}

// LastCustomer is the customer of the last payment that was sent in this run; zero before the first.
func (t *Tracker) LastCustomer() api.Customer {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.lastCustomer
}
