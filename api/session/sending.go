package session

import (
	"context"
	"slices"
	"sync"

	"paydesk/api"
	"paydesk/api/ledger"
)

// sending counts the POSTs that are being recorded, sent or waited for. It is safe for concurrent use.
type sending struct {
	mu    sync.Mutex
	n     int
	quiet chan struct{} // closed once n is 0 again; nil while it is
}

// begin counts one, until end.
func (s *sending) begin() (end func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.n++; s.n == 1 {
		s.quiet = make(chan struct{})
	}
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.n--; s.n == 0 {
			close(s.quiet)
			s.quiet = nil
		}
	}
}

// Sending reports whether something is being sent that may move money, from before it is recorded until it
// is answered.
func (t *Tracker) Sending() bool {
	t.sending.mu.Lock()
	defer t.sending.mu.Unlock()
	return t.sending.n > 0
}

// Quiet returns once nothing is being sent that may move money.
func (t *Tracker) Quiet(ctx context.Context) error {
	for {
		t.sending.mu.Lock()
		quiet := t.sending.quiet
		t.sending.mu.Unlock()
		if quiet == nil {
			return nil
		}
		select {
		case <-quiet:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// withoutCard is a payment as it was sent, for a person who collects it again: without its card, and
// without our reference, which names one payment only.
func withoutCard(in api.Initiation) api.Initiation {
	in.Card, in.OwnReference, in.MetaData = nil, "", slices.Clone(in.MetaData)
	return in
}

// keepInitiation keeps what a payment asked for, by the ID of its attempt, which is "" where it was not recorded.
func (t *Tracker) keepInitiation(id ledger.ID, in api.Initiation) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if id != "" {
		t.initiations[id] = withoutCard(in)
	}
}

// asSent returns what an attempt sent. Of an attempt of this run it has everything but the card; of an earlier one it has what
// the journal keeps, which leaves out the customer. The caller holds t.mu.
func (t *Tracker) asSent(a ledger.Attempt) api.Initiation {
	if in, thisRun := t.initiations[a.ID]; thisRun {
		return in
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

// LastCustomer is the customer of the last payment that was sent in this run; zero before the first.
func (t *Tracker) LastCustomer() api.Customer {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.lastCustomer
}
