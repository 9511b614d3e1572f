package collect

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/screens/present"
	"paydesk/ui"
)

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
