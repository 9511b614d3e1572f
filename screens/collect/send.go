package collect

import (
	"context"
	"errors"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/ui"
)

// send sends the frozen payment, once: a Commit never starts twice. The duplicates that the
// person has seen do not stop it.
func (m *Model) send() tea.Cmd {
	s, in, allowed := m.service, m.review.in, m.review.duplicates.IDs()
	if m.review.doubted {
		m.options.Doubts.ConfirmCard(in.Card.PAN)
	}
	m.stage, m.problem, m.attempted = sending, present.Problem{}, true
	attempt := new(ledger.ID) // is noted before anything is sent, and so also where paydesk breaks off
	answered := func(a ui.Result[api.Payment]) tea.Cmd {
		cmd := m.onResponse(a, *attempt)
		if m.wiping { // what could not be wiped while the response was awaited
			m.Wipe()
		}
		return cmd
	}
	return m.sent.Then(answered).Timed(present.SendLimit).Commit(m.Scope, present.SendLimit, func(ctx context.Context) (api.Payment, error) {
		return s.Initiate(ledger.WithNotedID(ledger.WithAllowedDuplicates(ctx, allowed...), attempt), in)
	})
}

// onResponse handles the response. An error that is neither a refusal nor known to be unsent means
// that the payment may have been made.
func (m *Model) onResponse(a ui.Result[api.Payment], attempt ledger.ID) tea.Cmd {
	var no *api.Refusal
	var duplicate *ledger.Duplicate
	switch {
	case a.Err == nil:
		return m.accept(a.Value)
	case api.OutcomeOf(a.Err) == api.OutcomeUnresolved:
		return m.onUnresolved(a.Err, attempt)
	case errors.As(a.Err, &no):
		return m.onRefusal(no)
	case errors.As(a.Err, &duplicate) && len(duplicate.Attempts) > 0:
		return m.onDuplicate(duplicate)
	}
	m.stage, m.problem = reviewing, present.Error(a.Err, present.Sending)
	return m.newConfirm()
}

// accept goes on to the payment's next screen: its report says what differs, where the response has another amount.
func (m *Model) accept(p api.Payment) tea.Cmd {
	in := m.review.in
	m.wipe()
	return nav.ReplaceWith(next(in, p))
}

// next returns the screen for the next step of a payment. A claim that it is final comes first, as does a response with another
// amount: the payment is checked at once, whatever else the response holds.
func next(in api.Initiation, p api.Payment) nav.Route {
	acts := p.Status.State == api.BankAuthRequired || p.Status.State == api.ActionRequired
	acts = acts || !p.BankAuth.IsZero() || !p.BankAuthRefused.Empty()
	switch {
	case p.Status.State == api.Claimed, !p.Difference.IsZero():
	case in.Channel == api.ChannelTransfer:
		return nav.Transfer{Reference: p.Reference}
	case acts:
		return nav.Challenge{Reference: p.Reference}
	}
	return nav.Payment{Reference: p.Reference}
}

// onUnresolved goes to the attempt, where the payment is looked for. Without an ID it was not recorded, and
// so not sent; an error that says otherwise is believed, and nothing here sends it again.
func (m *Model) onUnresolved(err error, attempt ledger.ID) tea.Cmd {
	m.wipe()
	if attempt != "" {
		return nav.ReplaceWith(nav.Attempt{ID: attempt})
	}
	m.stage, m.problem = unresolved, present.Error(err, present.Sending)
	return nil
}

// onDuplicate returns to the review after the journal stopped a possible duplicate: nothing was
// sent. To send it anyway the person types the short ID of the newest duplicate.
func (m *Model) onDuplicate(found *ledger.Duplicate) tea.Cmd {
	m.stage, m.review.scroll = reviewing, ui.Scroll{}
	m.review.duplicates = present.NewDuplicates(found, m.Scope.Now())
	m.review.confirm = ui.NewConfirm(m.Theme, m.review.duplicates.Question(m.options.Target))
	return m.review.confirm.Init(m.Scope)
}
