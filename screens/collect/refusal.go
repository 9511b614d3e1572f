package collect

import (
	"slices"
	"strings"

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

// A spot locates where a refusal can be corrected: a stage, and its field if it has one.
type spot struct {
	stage stage
	field ui.Field
}

// showAtFields puts each reason at the field it names and goes to the earliest stage that has one.
// It reports whether any reason named a field, or the channel.
func (m *Model) showAtFields(reasons []string) bool {
	earliest := reviewing
	rest := ui.PlaceReasons(reasons, m.spots(), func(s spot, reason string) bool {
		earliest = min(earliest, s.stage)
		if s.field != nil {
			m.form(s.stage).SetError(s.field, reason)
		}
		return s.field != nil
	})
	if earliest == reviewing {
		return false
	}
	m.stage = earliest
	m.problem.Next, m.problem.Detail = "", strings.Join(rest, " ")
	return true
}

// spots are the spots of this payment, by the names that reasons give them: the specification has
// no error codes.
func (m *Model) spots() []ui.Named[spot] {
	a, c, d := m.amount, m.customer, m.details
	all := []ui.Named[spot]{
		{Names: "channel", Value: spot{stageChannel, nil}},
		{Names: "paymentrequestprops.email", Value: spot{stageDetails, d.email}},
		{Names: "email|e-mail", Value: spot{stageCustomer, c.email}},
		{Names: "phone", Value: spot{stageCustomer, c.phone}},
		{Names: "firstname|first name", Value: spot{stageCustomer, c.first}},
		{Names: "lastname|last name", Value: spot{stageCustomer, c.last}},
		{Names: "narration", Value: spot{stageDetails, d.narration}},
		{Names: "metadata|meta data", Value: spot{stageDetails, d.meta}},
		{Names: "currency", Value: spot{stageAmount, a.choice.Code}},
		{Names: "currency", Value: spot{stageAmount, a.choice.Choice}},
		{Names: "amount", Value: spot{stageAmount, a.entry}},
		{Names: "alias", Value: spot{stageDetails, d.alias}},
		{Names: "card number|cardnumber|card.number", Value: spot{stageDetails, d.pan}},
		{Names: "cvv|cvc|security code", Value: spot{stageDetails, d.cvv}},
		{Names: "expmonth|expyear|expiry|expiration", Value: spot{stageDetails, d.expiry}},
		{Names: "returnurl|return url", Value: spot{stageDetails, d.returnURL}},
	}
	return slices.DeleteFunc(all, func(n ui.Named[spot]) bool {
		return n.Value.field != nil && !m.form(n.Value.stage).Has(n.Value.field)
	})
}
