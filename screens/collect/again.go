package collect

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/money"
	"paydesk/screens/present"
	"paydesk/ui"
)

// Init implements [ui.Screen]. A payment whose amount is known begins at its channel: one of a link that fixes it, and one that is
// collected again, whose customer looks for another way to pay.
func (m *Model) Init(s ui.Scope) tea.Cmd {
	m.Scope, m.channel.list.Scope = s, s
	switch again := m.options.Again; {
	case again == nil && m.amount.form != nil, m.amount.value().Minor <= 0:
		return nil
	case m.options.Sample != "":
		m.Notify("A made-up payment is filled in. Choose Card.")
	case again != nil:
		m.Notify(filledIn(*again))
	}
	return m.toChannels()
}

// linkAgain is the link of a payment that is collected again. Its type is not known: the amount can
// be changed, and the service checks it.
func linkAgain(in api.Initiation) *api.Link {
	if in.Link == "" {
		return nil
	}
	return &api.Link{Alias: in.Link, AmountType: api.Dynamic, Amount: money.Amount{Currency: in.Amount.Currency}}
}

// fillAgain fills in what another payment asked for. The card is typed: nothing of the other's was
// kept.
func (m *Model) fillAgain(in api.Initiation) {
	if !in.Amount.Currency.IsZero() {
		m.amount.choice.Set(in.Amount.Currency)
	}
	if in.Amount.Minor > 0 {
		m.amount.entry.Set(in.Amount)
	}
	m.amount.syncFields()
	m.customer.set(in.Customer)
	d := m.details
	d.narration.SetValue(in.Narration)
	d.returnURL.SetValue(in.ReturnURL)
	if in.Email != in.Customer.Email {
		d.email.SetValue(in.Email)
	}
	d.meta.SetValue(strings.Join(typed(in.MetaData), ", "))
}

// samplePayment is a made-up payment for the sample. No two cards have the same amount, so that they do not look like
// one payment sent twice. A link has an amount of its own.
func samplePayment(o Options) *api.Initiation {
	in := &api.Initiation{Customer: sampleCustomer, ReturnURL: sampleReturnURL}
	if o.Link != nil {
		return in
	}
	at := max(o.sample(), 0)
	gbp, _ := money.ParseCurrency("GBP") // which is one
	in.Amount = money.Amount{Minor: 1250 + 500*int64(at), Currency: gbp}
	return in
}

// filledIn says what is known of a payment that is collected again.
func filledIn(in api.Initiation) string {
	what := []string{"amount"}
	if in.Customer != (api.Customer{}) {
		what = append(what, "customer")
	}
	if in.Link != "" {
		what = append(what, "link")
	}
	return present.Sentence("filled in from the earlier payment: " + strings.Join(what, ", "))
}
