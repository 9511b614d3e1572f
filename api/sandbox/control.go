package sandbox

import (
	"math"
	"time"
)

// What a person may do to the sandbox while it runs. The same by HTTP is in
// controlpaths.go.

// A PaymentView is a payment as the sandbox knows it, whatever it answers.
type PaymentView struct {
	Reference string    `json:"reference"`
	Channel   string    `json:"channel"`
	Currency  string    `json:"currency"`
	Amount    string    `json:"amount"`   // in major units: "12.50"
	Masked    string    `json:"masked"`   // "•••• 4242"; "" for a transfer
	State     string    `json:"state"`    // INITIATED, PENDING, SUCCESSFUL or FAILED
	Link      string    `json:"link"`     // the alias of the link it pays; "" when it pays none
	Received  string    `json:"received"` // what came of the amount so far: "0.00"
	Made      time.Time `json:"made"`
	Ends      time.Time `json:"ends,omitzero"`    // when time alone brings it to its end; zero when it does not
	EndsIn    string    `json:"endsIn,omitempty"` // the state it is in then
}

// Payments lists the payments taken since New or Reset, newest first.
func (s *Sandbox) Payments() []PaymentView {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.now()
	out := make([]PaymentView, 0, len(s.ordered))
	for i := range s.ordered {
		out = append(out, s.ordered[len(s.ordered)-1-i].view(now))
	}
	return out
}

// Payment is the payment of a reference.
func (s *Sandbox) Payment(reference string) (PaymentView, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.payments[reference]
	if p == nil {
		return PaymentView{}, false
	}
	return p.view(s.now()), true
}

func (p *payment) view(now time.Time) PaymentView {
	v := PaymentView{
		Reference: p.reference, Channel: channelTransfer, Currency: p.currency, Amount: formatMajor(p.amount).String(),
		State: p.at(now).name(), Received: formatMajor(p.received(now)).String(), Made: p.made, Ends: p.endsAt(now),
	}
	if p.card != nil {
		v.Channel, v.Masked = channelCard, "•••• "+p.card.lastFour
	}
	if !v.Ends.IsZero() {
		v.EndsIn = p.at(v.Ends).name()
	}
	if p.link != nil {
		v.Link = p.link.alias
	}
	return v
}

// name is the state in one spelling; word is the specification's.
func (s state) name() string {
	if s == successful {
		return "SUCCESSFUL"
	}
	return s.word()
}

// Decline is the no of the card's issuer, at any time before a card payment is at
// its end.
func (s *Sandbox) Decline(reference string) bool {
	return s.apply(reference, (*payment).decline)
}

func (p *payment) decline(now time.Time) bool {
	if p.card == nil || p.at(now) == successful || p.at(now) == failed {
		return false
	}
	p.card.declined = true
	return true
}

// Reset forgets all that came after New: payments, links, faults, switches and
// hostile text. Ids and references begin again as the seed has them.
func (s *Sandbox) Reset() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.records = newRecords(s.rows.seed)
}

// now is the sandbox's clock: the one it was given, and what Forward added.
func (s *Sandbox) now() time.Time {
	return s.clock().Add(time.Duration(s.ahead.Load()))
}

// Ahead is how far Forward has moved the clock on in all.
func (s *Sandbox) Ahead() time.Duration { return time.Duration(s.ahead.Load()) }

// Forward moves the sandbox's clock on, so that what takes time has taken it: payments
// settle, accounts expire, webhooks are tried again. There is no way back: a d that
// is not positive does nothing, and 292 years in all are the most.
func (s *Sandbox) Forward(d time.Duration) {
	if d <= 0 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if ahead := s.ahead.Load(); int64(d) > math.MaxInt64-ahead {
		s.ahead.Store(math.MaxInt64)
	} else {
		s.ahead.Store(ahead + int64(d))
	}
	s.wakeSender()
}
