package collect

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/screens/present"
	"paydesk/ui"
)

// refuse goes back to where a refusal can be mended, with everything typed but the
// CVV. What the service says of a field stands at that field, the rest on top; a
// refusal that names no field stands on top of the review.
func (m *Model) refuse(no *api.Refusal) tea.Cmd {
	frozen := m.review
	m.details.cvv.Wipe()
	m.review.wipe()
	m.trouble = present.Error(no, present.Sending)
	said := no.Failures
	if len(said) == 0 {
		said = []api.Text{no.Text}
	}
	if m.complain(said) {
		return nil
	}
	m.stage = reviewing
	m.review = review{in: frozen.in, card: frozen.card}
	if frozen.in.Card != nil {
		m.review.in.Card = nil
		return nil // the CVV has to be typed again
	}
	return m.confirmAnew()
}

// A spot is where something can be mended: a stage, and its field if it has one.
type spot struct {
	stage stage
	field ui.Field
}

// complain puts each text at the field it names and goes to the earliest stage
// that has one. It reports whether there was any.
func (m *Model) complain(said []api.Text) bool {
	spots := make([]spot, len(said))
	earliest := reviewing
	for i, text := range said {
		s, ok := m.locate(text.Line(0))
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
	for i := len(said) - 1; i >= 0; i-- { // backwards, so that the first gets the focus
		if s := spots[i]; s.field != nil {
			m.stage = s.stage // for its form
			m.form().SetError(s.field, said[i].Line(200))
		} else {
			rest = append([]string{said[i].Line(0)}, rest...)
		}
	}
	m.stage = earliest
	m.trouble.Next, m.trouble.Detail = "", strings.Join(rest, " ")
	return true
}

// locate finds what a text is about by the first name of a field in it: the
// specification has no error codes.
func (m *Model) locate(text string) (spot, bool) {
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

// A named spot and the names it goes by, in lower case with bars between them.
type named struct {
	names string
	spot
}

// spots are the places there are for this payment.
func (m *Model) spots() []named {
	d, c := m.details, m.customer
	at := func(s stage, f ui.Field, names string) named { return named{names, spot{s, f}} }
	spots := []named{
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
