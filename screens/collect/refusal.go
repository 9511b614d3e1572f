package collect

import (
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
	reasons := no.Failures
	if len(reasons) == 0 {
		reasons = []api.Text{no.Text}
	}
	if m.showAtFields(reasons) {
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

// A spot is where a refusal can be corrected: a stage, and its field if it has one.
type spot struct {
	stage stage
	field ui.Field
}

// showAtFields puts each reason at the field it names and goes to the earliest stage that has one.
// It reports whether any reason named a field.
func (m *Model) showAtFields(reasons []api.Text) bool {
	spots := make([]spot, len(reasons))
	earliest := reviewing
	for i, text := range reasons {
		s, ok := m.spotOf(text.Line(0))
		if !ok {
			s.stage = reviewing
		}
		spots[i] = s
		earliest = min(earliest, s.stage)
	}
	if earliest == reviewing {
		return false
	}
	m.stage = earliest
	var rest []string
	for i := len(reasons) - 1; i >= 0; i-- { // backwards, so that the first reason gets the focus
		if s := spots[i]; s.field != nil {
			m.stage = s.stage // for its form
			m.form().SetError(s.field, reasons[i].Line(200))
		} else {
			rest = append([]string{reasons[i].Line(0)}, rest...)
		}
	}
	m.stage = earliest
	m.problem.Next, m.problem.Detail = "", strings.Join(rest, " ")
	return true
}

// spotOf finds the spot that a reason names first: the specification has no error codes.
func (m *Model) spotOf(text string) (spot, bool) {
	text = strings.ToLower(text)
	found, first := spot{}, len(text)
	for _, s := range m.spots() {
		for name := range strings.SplitSeq(s.names, "|") {
			if i := strings.Index(text, name); i >= 0 && i < first {
				found, first = s.spot, i
			}
		}
	}
	return found, first < len(text)
}

// A namedSpot is a spot with the names it is known by, in lower case and separated by bars.
type namedSpot struct {
	names string
	spot
}

// spots are the spots of this payment.
func (m *Model) spots() []namedSpot {
	d, c := m.details, m.customer
	at := func(s stage, f ui.Field, names string) namedSpot { return namedSpot{names, spot{s, f}} }
	spots := []namedSpot{
		at(stageChannel, nil, "channel"),
		at(stageCustomer, c.email, "email|e-mail"),
		at(stageCustomer, c.phone, "phone"),
		at(stageCustomer, c.first, "firstname|first name"),
		at(stageCustomer, c.last, "lastname|last name"),
		at(stageDetails, d.narration, "narration"),
		at(stageDetails, d.meta, "metadata|meta data"),
	}
	if f := m.amount.currencyField(); f != nil {
		spots = append(spots, at(stageAmount, f, "currency"))
	}
	if m.amount.form != nil {
		spots = append(spots, at(stageAmount, m.amount.entry, "amount"))
	}
	if d.alias != nil {
		spots = append(spots, at(stageDetails, d.alias, "alias"))
	}
	if m.channel.chosen == api.ChannelCard {
		spots = append(spots,
			at(stageDetails, d.pan, "card number|cardnumber|card.number"),
			at(stageDetails, d.cvv, "cvv|cvc|security code"),
			at(stageDetails, d.expiry, "expmonth|expyear|expiry|expiration"),
			at(stageDetails, d.returnURL, "returnurl|return url"))
	}
	return spots
}
