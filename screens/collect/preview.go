package collect

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"paydesk/api"
	"paydesk/api/money"
	"paydesk/screens/present"
)

// A body is the JSON that would be sent, made anew only when what it is made of has
// changed.
type body struct {
	of   draft
	made bool
	text string
}

// A draft is what a body is made of, without the card: its fields count their changes,
// so that the digits need not be copied to see whether they changed.
type draft struct {
	amount                     money.Amount
	channel                    string
	customer                   api.Customer
	narration, meta, alias, to string
	pan, cvv, expiry           int
	noPAN, noCVV               bool   // wiping counts as no change
	frozen                     string // own reference of a reviewed payment
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

// keep brings the JSON up to date where it is shown.
func (b *body) keep(m *Model) {
	if !m.showsBody() {
		return
	}
	now := m.draft()
	if b.made && b.of == now {
		return
	}
	in := m.review.in
	if m.review.confirm == nil {
		in = m.initiation()
		defer wipeCard(in)
	}
	*b = body{of: now, made: true, text: m.service.InitiationBody(in)}
}

// showsBody reports whether there is room for the JSON, and a payment to be sent.
func (m *Model) showsBody() bool { return m.w >= present.WidePreview && m.stage <= reviewing }

// lines are the JSON's, broken to w cells.
func (b *body) lines(w int) []string {
	var all []string
	for line := range strings.SplitSeq(b.text, "\n") {
		all = append(all, strings.Split(ansi.Hardwrap(line, w, true), "\n")...)
	}
	return all
}
