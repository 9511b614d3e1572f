package collect

import (
	"context"
	"errors"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/ledger"
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
	s, in, allowed := m.service, m.review.in, m.review.duplicates.IDs()
	if m.review.doubted {
		m.options.Doubts.ConfirmCard(in.Card.PAN)
	}
	m.stage, m.problem, m.attempted = sending, present.Problem{}, true
	return m.sent.Then(m.answered).Timed(present.SendLimit).Commit(m.Scope, present.SendLimit, func(ctx context.Context) (sent, error) {
		at := time.Now()
		p, err := s.Initiate(ledger.WithAllowedDuplicates(ctx, allowed...), in)
		return sent{p, at}, err
	})
}

// answered handles the response, and wipes what could not be wiped while it was awaited.
func (m *Model) answered(a ui.Result[sent]) tea.Cmd {
	cmd := m.onResponse(a)
	if m.wiping {
		m.Wipe()
	}
	return cmd
}

// onResponse handles the response. An error that is neither a refusal nor known to be unsent means
// that the payment may have been made.
func (m *Model) onResponse(a ui.Result[sent]) tea.Cmd {
	var no *api.Refusal
	var duplicate *ledger.Duplicate
	switch {
	case a.Err == nil:
		return m.accept(a.Value.payment)
	case api.OutcomeOf(a.Err) == api.OutcomeUnresolved:
		return m.onUnresolved(a)
	case errors.As(a.Err, &no):
		return m.onRefusal(no)
	case errors.As(a.Err, &duplicate) && len(duplicate.Attempts) > 0:
		return m.onDuplicate(duplicate, a.Value.at)
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

// An outcome is a payment of which it is not known whether it was made.
type outcome struct {
	in   api.Initiation // without its card
	card string         // masked
	at   time.Time
}

// onUnresolved goes to the attempt in the journal. Where none is known this screen keeps the facts to
// compare, and nothing that could be sent again.
func (m *Model) onUnresolved(a ui.Result[sent]) tea.Cmd {
	var attempt *journal.UnresolvedAttempt
	if errors.As(a.Err, &attempt) {
		m.wipe()
		return nav.ReplaceWith(nav.Attempt{ID: attempt.ID})
	}
	o := outcome{in: m.review.in, card: m.review.card, at: a.Value.at}
	o.in.Card = nil
	m.wipe()
	m.stage, m.outcome, m.problem = unresolved, o, present.Error(a.Err, present.Sending)
	return nil
}

// onDuplicate returns to the review after the journal stopped a possible duplicate: nothing was
// sent. To send it anyway the person types the short ID of the newest duplicate.
func (m *Model) onDuplicate(found *ledger.Duplicate, now time.Time) tea.Cmd {
	m.stage, m.review.from = reviewing, 0
	m.review.duplicates = present.NewDuplicates(found, now)
	m.review.confirm = ui.NewConfirm(m.Theme, m.review.duplicates.Question(m.options.Target))
	return m.review.confirm.Init(m.Scope)
}

// unresolvedKeys handles the keys of an unresolved payment: none of them sends. They lead to where
// the payment may be found.
func (m *Model) unresolvedKeys(msg tea.Msg) tea.Cmd {
	switch {
	case pressed(msg, keyList):
		return nav.Open(nav.Transactions{})
	case pressed(msg, keyRaw):
		return openRaw(api.OpInitiate)
	}
	return nil
}

// openRaw shows the last answer to an operation as it came.
func openRaw(op api.Operation) tea.Cmd { return nav.Open(nav.Raw{Operation: op}) }

// viewUnresolved shows what a person needs to find the payment elsewhere: amount, card, customer,
// references and when it was sent.
func (m *Model) viewUnresolved(w, h int) (string, *tea.Cursor) {
	o, sent := m.outcome, m.options.Target.String()
	if !o.at.IsZero() {
		sent = present.Clock(o.at) + " to " + sent
	}
	why := m.problem
	why.Done, why.Next = "", "" // the heading and the last paragraph say it
	lines := why.Lines(m.Theme, w)
	return spaced(w, h,
		append(present.UnresolvedHeading(m.Theme, w, present.NotKnown(ledger.Initiate)), lines[:min(len(lines), 2)]...),
		m.Theme.StrongLines("Do not charge this customer again until it is resolved.", w),
		append(m.Theme.StrongLines(o.in.Amount.String(), w), m.facts(w,
			"Channel", strings.Trim(o.in.Channel+" · "+o.card, " ·"),
			"Customer", o.in.Customer.FirstName+" "+o.in.Customer.LastName,
			"Link", string(o.in.Link),
			"Our reference", o.in.OwnReference,
			"Sent", sent)...),
		ui.Wrap("paydesk will not send it again. Look for the same amount, time and customer in the transactions "+
			"and in the provider's dashboard.", w))
}
