package collect

import (
	"context"
	"errors"
	"slices"

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
		in := m.review.in
		m.wipe()
		return nav.ReplaceWith(next(in, a.Value))
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

// onRefusal goes back to the stage where a refusal can be corrected, and keeps all input but the
// CVV. A reason that names a field stands at that field, the others on top; if none names a field,
// they stand on top of the review.
func (m *Model) onRefusal(no *api.Refusal) tea.Cmd {
	frozen := m.review
	m.details.cvv.Wipe()
	m.review.wipe()
	m.problem = present.Error(no, present.Sending)
	if m.showAtFields(present.Reasons(no)) {
		return nil
	}
	m.stage = reviewing
	m.review = review{in: frozen.in, card: frozen.card}
	if frozen.in.Card != nil {
		m.review.in.Card = nil
		return nil // the CVV must be entered again
	}
	return m.newConfirm()
}

// A spot is where a part of the request is entered: a stage, and its field if it has one.
type spot struct {
	stage stage
	field ui.Field
	feeds []string // the paths of the request that come from it
}

// showAtFields puts each reason at the field it names and goes to the earliest stage that has one.
// It reports whether any reason named a field, or the channel.
func (m *Model) showAtFields(reasons []string) bool {
	earliest := reviewing
	rest := ui.PlaceReasons(reasons, m.spots(), func(s spot, reason string) bool {
		earliest = min(earliest, s.stage)
		if s.field != nil {
			m.forms[s.stage].SetError(s.field, reason)
		}
		return s.field != nil
	})
	if earliest == reviewing {
		return false
	}
	m.stage = earliest
	m.problem = m.problem.Rest(rest)
	return true
}

// spots are the spots of this payment, by the names that reasons give them: the specification has
// no error codes.
func (m *Model) spots() []ui.Named[spot] {
	at := func(names string, s stage, f ui.Field, feeds ...string) ui.Named[spot] {
		return ui.Named[spot]{Names: names, Value: spot{s, f, feeds}}
	}
	a, c, d := m.amount, m.customer, m.details
	all := []ui.Named[spot]{
		at("channel", stageChannel, nil, "channel"),
		at("paymentrequestprops.email", stageDetails, d.email, "paymentRequestProps.email"),
		at("email|e-mail", stageCustomer, c.email, "userInformation.emailAddress"),
		at("phone", stageCustomer, c.phone, "userInformation.phone"),
		at("firstname|first name", stageCustomer, c.first, "userInformation.firstName"),
		at("lastname|last name", stageCustomer, c.last, "userInformation.lastName"),
		at("narration", stageDetails, d.narration, "narration"),
		at("metadata|meta data", stageDetails, d.meta, "metaData"),
		at("currency", stageAmount, a.choice.Code, "currency"),
		at("currency", stageAmount, a.choice.Choice, "currency"),
		at("amount", stageAmount, a.entry, "amount"),
		at("alias", stageDetails, d.alias, "link"),
		at("card number|cardnumber|card.number", stageDetails, d.pan, "paymentRequestProps.card.number"),
		at("cvv|cvc|security code", stageDetails, d.cvv, "paymentRequestProps.card.cvv"),
		at("expmonth|expyear|expiry|expiration", stageDetails, d.expiry, "paymentRequestProps.card.expMonth", "paymentRequestProps.card.expYear"),
		at("returnurl|return url", stageDetails, d.returnURL, "paymentRequestProps.returnUrl"),
	}
	return slices.DeleteFunc(all, func(n ui.Named[spot]) bool {
		return n.Value.field != nil && !m.forms[n.Value.stage].Has(n.Value.field)
	})
}
