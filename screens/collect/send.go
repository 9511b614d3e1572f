package collect

import (
	"context"
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/ui"
)

// sendLimit is how long a payment may take to be answered (R41): a short limit
// makes unknown outcomes.
const sendLimit = 90 * time.Second

// A sent is a payment's answer and when the payment went out.
type sent struct {
	payment api.Payment
	at      time.Time
}

// send sends the frozen payment, once: a Commit refuses to start twice. What the person
// was shown that looks like it does not stop it.
func (m *Model) send() tea.Cmd {
	s, in, shown := m.service, m.review.in, m.review.shown()
	m.stage, m.trouble = sending, present.Problem{}
	return m.sent.Commit(m.scope, sendLimit, func(ctx context.Context) (sent, error) {
		at := time.Now()
		p, err := s.Initiate(journal.WithAllowedDuplicates(ctx, shown...), in)
		return sent{p, at}, err
	})
}

// onResponse takes the answer. The three kinds of error allow three different next
// keys; what is neither a refusal nor known to be unsent may have been done.
func (m *Model) onResponse(a ui.Result[sent]) tea.Cmd {
	var no *api.Refusal
	var like *journal.Duplicate
	switch {
	case a.Err == nil:
		return m.accept(a.Value.payment)
	case api.OutcomeOf(a.Err) == api.OutcomeUnresolved:
		return m.onUnresolved(a)
	case errors.As(a.Err, &no):
		return m.refuse(no)
	case errors.As(a.Err, &like) && len(like.Attempts) > 0:
		return m.onDuplicate(like.Attempts, a.Value.at)
	}
	m.stage, m.trouble = reviewing, present.Error(a.Err, present.Sending)
	return m.confirmAnew()
}

// accept goes on to what the answer asks for, unless the answer is about another amount.
func (m *Model) accept(p api.Payment) tea.Cmd {
	in := m.review.in
	m.wipe()
	m.outcome = outcome{asked: in.Amount, next: next(in, p), payment: p}
	if !p.Mismatch.Empty() {
		m.stage = mismatched
		return nil
	}
	return nav.ReplaceWith(m.outcome.next)
}

// next is where a payment goes on.
func next(in api.Initiation, p api.Payment) nav.Route {
	challenge := !p.BankAuth.IsZero() || !p.BankAuthRefused.Empty() || p.Status.State == api.BankAuthRequired
	switch {
	case p.Status.State.Final():
	case in.Channel == api.ChannelTransfer:
		return nav.Transfer{Reference: p.Reference}
	case challenge:
		return nav.Challenge{Reference: p.Reference}
	}
	return nav.Payment{Reference: p.Reference}
}
