package collect

import (
	"paydesk/api"
	"paydesk/api/money"
	"paydesk/screens/present"
)

// A preview is the JSON that would be sent. It is built again only when its input has changed.
type preview struct {
	from  draft
	built bool
	text  string
}

// A draft is the input of a preview. The card is represented by the edit counts of its fields, so
// that no digits are copied to detect a change.
type draft struct {
	amount                     money.Amount
	channel                    string
	customer                   api.Customer
	narration, meta, alias, to string
	pan, cvv, expiry           int
	noPAN, noCVV               bool   // wiping is not counted as an edit
	frozen                     string // own reference of the payment under review
}

func (m *Model) draft() draft {
	d := m.details
	now := draft{
		amount: m.amount.value(), channel: m.channel.chosen, customer: m.customer.value(),
		narration: d.narration.Value(), meta: d.meta.Value(), to: d.returnURL.Value(),
		pan: d.pan.Edits(), cvv: d.cvv.Edits(), expiry: d.expiry.Edits(),
		noPAN: d.pan.Empty(), noCVV: d.cvv.Empty(),
		frozen: m.review.in.OwnReference,
	}
	if d.alias != nil {
		now.alias = d.alias.Value()
	}
	return now
}

// update brings the JSON up to date where it is shown.
func (p *preview) update(m *Model) {
	if !m.showsPreview() {
		return
	}
	now := m.draft()
	if p.built && p.from == now {
		return
	}
	in := m.review.in
	if m.review.confirm == nil {
		in = m.initiation()
		defer wipeCard(in)
	}
	*p = preview{from: now, built: true, text: m.service.InitiationBody(in)}
}

// showsPreview reports whether there is something to preview, and room for it.
func (m *Model) showsPreview() bool { return m.w >= present.WidePreview && m.stage <= reviewing }
