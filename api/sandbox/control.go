package sandbox

import (
	"math"
	"time"
)

// A PaymentView is the true state of a payment, whatever the service answers.
type PaymentView struct {
	Reference string    `json:"reference"`
	Channel   string    `json:"channel"`
	Currency  string    `json:"currency"`
	Amount    string    `json:"amount"`   // in major units: "12.50"
	Masked    string    `json:"masked"`   // "•••• 4242"; "" for a transfer
	State     string    `json:"state"`    // INITIATED, PENDING, SUCCESSFUL or FAILED
	Link      string    `json:"link"`     // the alias of the link it pays; "" when it pays none
	Received  string    `json:"received"` // so far, in major units: "0.00"
	Made      time.Time `json:"made"`
	Ends      time.Time `json:"ends,omitzero"`    // when it becomes final by itself; zero when it does not
	EndsIn    string    `json:"endsIn,omitempty"` // the state it is in then
}

// Payments lists the payments accepted since New or Reset, newest first.
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

// Payment returns the payment with a reference.
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

// name spells the state in one way; word spells it as the specification does.
func (s state) name() string {
	if s == successful {
		return "SUCCESSFUL"
	}
	return s.word()
}

// Decline makes the card's issuer decline a card payment that is not final yet.
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

// Reset forgets everything since New: payments, links, faults, switches and hostile text.
// Ids and references start again from the seed. The clock and the webhook URL stay.
func (s *Sandbox) Reset() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.records = newRecords(s.rows.seed)
}

// now is the sandbox's clock: Options.Now plus what Forward added.
func (s *Sandbox) now() time.Time {
	return s.clock().Add(time.Duration(s.ahead.Load()))
}

// Ahead is the total by which Forward has moved the clock.
func (s *Sandbox) Ahead() time.Duration { return time.Duration(s.ahead.Load()) }

// Forward moves the sandbox's clock on: payments settle, accounts expire, webhooks are
// retried. The clock cannot go back: a d that is not positive does nothing. The total stops
// at 292 years.
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
