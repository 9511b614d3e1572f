package sandbox

import (
	"cmp"
	"slices"
	"time"
)

// A state is one of a payment's states, as the word of paymentStatus. Success is spelled as
// in the example of the specification (3.1).
type state string

const (
	initiated  state = "INITIATED"
	pending    state = "PENDING"
	successful state = "Successfull"
	failed     state = "FAILED"
)

// statusOffline is the paymentStatus at initiation of a transfer (2.5).
const statusOffline = "REQUIRE_USER_OFFLINE_ACTION"

// name spells the state as people do; the wire has it as the specification spells it.
func (s state) name() string {
	if s == successful {
		return "SUCCESSFUL"
	}
	return string(s)
}

// A payment is an initiation and its progress. Of a card only the last four digits are
// kept.
type payment struct {
	request
	id        string // in the list; differs from the reference
	older     int    // rows that the list had grown by when it was made
	made      time.Time
	finalized time.Time // zero before
	told      bool      // its event was made, or it had ended before there was a webhook URL

	bank     *bankPart // either bank or transfer is set
	transfer *transferPart
	checkout checkout // zero unless made on the page of a link
}

// A bankPart is the state of a payment that a bank decides: by card, from an account or by Interac.
type bankPart struct {
	token      string    // of the bank's page; "" without a challenge
	byEmail    bool      // the customer is asked in an e-mail, rather than at once
	answered   string    // answerApproved or answerRejected; "" before
	authorized time.Time // zero before; set at initiation without a challenge
	declined   bool
	settled    bool // on demand, before its time
}

const (
	answerApproved = "approved"
	answerRejected = "rejected"
)

// maxPayments limits how many payments are kept, the newest. A dropped one is unknown to all
// operations.
const maxPayments = 10_000

// keep stores a new payment.
func (s *Sandbox) keep(p *payment) {
	s.payments[p.reference] = p
	p.older = s.changes.grown
	s.ordered = append(s.ordered, p)
	if p.link != nil {
		p.link.last = p
	}
	if len(s.ordered) > maxPayments {
		oldest := s.ordered[0]
		delete(s.payments, oldest.reference)
		delete(s.checkouts, oldest.checkout.token)
		s.ordered = slices.Delete(s.ordered, 0, 1)
	}
	s.step()
}

// at is the state of a payment at a time.
func (p *payment) at(now time.Time) state {
	switch c, t := p.bank, p.transfer; {
	case t == nil && c.declined, t != nil && !t.arrived(now) && !t.open(now):
		return failed
	case p.challenged():
		return initiated
	case p.awaitsFinalize(), t != nil && !t.arrived(now):
		return pending
	case t != nil || c.settled || !now.Before(p.settlingFrom().Add(p.plan.settleTime)):
		return successful
	}
	return pending
}

// ended reports whether the payment's state is final.
func (p *payment) ended(now time.Time) bool {
	is := p.at(now)
	return is == successful || is == failed
}

// endsAt returns when the payment becomes final by itself; zero when it will not.
func (p *payment) endsAt(now time.Time) time.Time {
	switch t := p.transfer; {
	case p.ended(now):
		return time.Time{}
	case t != nil && t.open(now) && !t.comesByItself():
		return t.expires
	case p.challenged() || p.awaitsFinalize(): // which nothing but a request ends
		return time.Time{}
	case t != nil:
		return t.arrives
	}
	return p.settlingFrom().Add(p.plan.settleTime)
}

// fee is the fee for a payment, in hundredths: a failed one costs nothing.
func (p *payment) fee(now time.Time) int64 {
	if p.at(now) == failed {
		return 0
	}
	return fee(p.amount)
}

// received is the amount paid so far, in hundredths.
func (p *payment) received(now time.Time) int64 {
	switch t := p.transfer; {
	case t != nil && !t.arrived(now):
		return t.received
	case t != nil:
		return max(t.received, t.due)
	case p.at(now) == successful:
		return p.amount
	}
	return 0
}

// awaitsFinalize reports whether finalize is still needed, which is only so in the link
// flow (section 1, flow 2).
func (p *payment) awaitsFinalize() bool { return p.link != nil && p.finalized.IsZero() }

// settlingFrom returns when a payment that a bank decides started to settle.
func (p *payment) settlingFrom() time.Time {
	if p.link != nil {
		return p.finalized
	}
	return p.bank.authorized
}

// challenged reports whether the bank is waiting for the customer.
func (p *payment) challenged() bool {
	return p.bank != nil && !p.bank.declined && p.bank.authorized.IsZero()
}

// approve is the customer's approval at the bank.
func (p *payment) approve(now time.Time) bool { return p.answer(answerApproved, now) }

// reject is the customer's rejection at the bank.
func (p *payment) reject(now time.Time) bool { return p.answer(answerRejected, now) }

// answer answers an open challenge.
func (p *payment) answer(with string, now time.Time) bool {
	if !p.challenged() {
		return false
	}
	p.bank.answered = with
	p.bank.declined = with == answerRejected || p.plan.declinesAfter
	if !p.bank.declined {
		p.bank.authorized = now
	}
	return true
}

// decline is the decision of the customer's bank.
func (p *payment) decline(now time.Time) bool {
	if p.bank == nil || p.ended(now) {
		return false
	}
	p.bank.declined = true
	return true
}

// settleNow settles a card payment, or pays the rest of a transfer.
func (p *payment) settleNow(now time.Time) bool {
	if t := p.transfer; t != nil {
		return t.pay(t.due-t.received, now)
	}
	if p.at(now) != pending || p.awaitsFinalize() {
		return false
	}
	p.bank.settled = true
	return true
}

// finalize records that the customer's part is complete; only the first call counts.
func (p *payment) finalize(now time.Time) { p.finalized = cmp.Or(p.finalized, now) }

// expire ends the time a transfer's account can be paid into.
func (p *payment) expire(now time.Time) bool {
	return p.transfer != nil && p.transfer.expire(now)
}

// A PaymentView is the true state of a payment, whatever the service answers.
type PaymentView struct {
	Reference string    `json:"reference"`
	Channel   string    `json:"channel"`
	Currency  string    `json:"currency"`
	Amount    string    `json:"amount"`   // in major units: "12.50"
	Masked    string    `json:"masked"`   // "•••• 4242"; "" without a card
	State     string    `json:"state"`    // INITIATED, PENDING, SUCCESSFUL or FAILED
	Link      string    `json:"link"`     // the alias of the link it pays; "" when it pays none
	Received  string    `json:"received"` // so far, in major units: "0.00"
	BankURL   string    `json:"bankUrl"`  // where the customer can approve it now; "" for nowhere
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
		out = append(out, s.view(s.ordered[len(s.ordered)-1-i], now))
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
	return s.view(p, s.now()), true
}

func (s *Sandbox) view(p *payment, now time.Time) PaymentView {
	v := PaymentView{
		Reference: p.reference, Channel: p.channel, Currency: p.currency,
		Amount: formatMajor(p.amount).String(), Received: formatMajor(p.received(now)).String(),
		State: p.at(now).name(), Made: p.made, Ends: p.endsAt(now),
	}
	if p.lastFour != "" {
		v.Masked = "•••• " + p.lastFour
	}
	if p.challenged() {
		v.BankURL = s.bankURL(p)
	}
	if !v.Ends.IsZero() {
		v.EndsIn = p.at(v.Ends).name()
	}
	if p.link != nil {
		v.Link = p.link.alias
	}
	return v
}
