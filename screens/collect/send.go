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

// A sent is the response to a payment, and when the payment was sent.
type sent struct {
	payment api.Payment
	at      time.Time
}

// send sends the frozen payment, once: a Commit never starts twice. The duplicates that the
// person has seen do not stop it.
func (m *Model) send() tea.Cmd {
	s, in, allowed := m.service, m.review.in, m.review.duplicateIDs()
	m.stage, m.problem = sending, present.Problem{}
	return m.sent.Commit(m.Scope, present.SendLimit, func(ctx context.Context) (sent, error) {
		at := time.Now()
		p, err := s.Initiate(journal.WithAllowedDuplicates(ctx, allowed...), in)
		return sent{p, at}, err
	})
}

// onResponse handles the response. An error that is neither a refusal nor known to be unsent means
// that the payment may have been made.
func (m *Model) onResponse(a ui.Result[sent]) tea.Cmd {
	var no *api.Refusal
	var duplicate *journal.Duplicate
	switch {
	case a.Err == nil:
		return m.accept(a.Value.payment)
	case api.OutcomeOf(a.Err) == api.OutcomeUnresolved:
		return m.onUnresolved(a)
	case errors.As(a.Err, &no):
		return m.onRefusal(no)
	case errors.As(a.Err, &duplicate) && len(duplicate.Attempts) > 0:
		return m.onDuplicate(duplicate.Attempts, a.Value.at)
	}
	m.stage, m.problem = reviewing, present.Error(a.Err, present.Sending)
	return m.newConfirm()
}

// accept goes on to the payment's next screen, unless the response is about another amount.
func (m *Model) accept(p api.Payment) tea.Cmd {
	in := m.review.in
	m.wipe()
	in.Card = nil
	m.outcome = outcome{in: in, next: next(in, p), payment: p}
	if !p.Mismatch.Empty() {
		m.stage = mismatched
		return nil
	}
	return nav.ReplaceWith(m.outcome.next)
}

// next is the screen for the next step of a payment.
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
