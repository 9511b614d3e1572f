package collect

import (
	"paydesk/api"
	"paydesk/api/money"
	"paydesk/ui"
)

// An amountStep is the form for the amount and its currency. A link fixes the currency; a static
// link fixes the amount too and leaves no form.
type amountStep struct {
	form   *ui.Form // nil if the link fixes the amount
	choice ui.Currencies
	entry  *ui.AmountField
	link   money.Currency // of the link, zero without one
	fixed  money.Amount   // of a static link
}

// newAmountStep makes the form, of which a link leaves out what it fixes.
func newAmountStep(t *ui.Theme, link *api.Link) *amountStep {
	a := &amountStep{}
	if link != nil {
		a.link = link.Amount.Currency
		if Fixes(*link) {
			a.fixed = link.Amount
			return a
		}
	}
	a.choice = ui.NewCurrencies(t)
	a.entry = ui.NewAmountField(t, "Amount", a.currency)
	a.form = ui.NewForm(t, a.fields()...)
	a.form.SubmitLabel("next step")
	return a
}

// Fixes reports whether a link fixes the amount. A static link whose amount could not be parsed
// does not: the service checks the amount that is entered.
func Fixes(l api.Link) bool {
	return l.AmountType == api.Static && l.HasAmount && l.Amount.Minor > 0 && !l.Amount.Currency.IsZero()
}

// fields returns the fields that the link and the choice so far require.
func (a *amountStep) fields() []ui.Field {
	if !a.link.IsZero() {
		return []ui.Field{a.entry}
	}
	return append(a.choice.Fields(), a.entry)
}

// syncFields adds or removes the code field after the choice of currency has changed.
func (a *amountStep) syncFields() {
	if a.form != nil {
		a.form.SetFields(a.fields()...)
	}
}

// currency is the chosen one, zero if it cannot be parsed.
func (a *amountStep) currency() money.Currency {
	if !a.link.IsZero() {
		return a.link
	}
	return a.choice.Value()
}

// value is the amount; it is zero, with the currency, if the input cannot be parsed.
func (a *amountStep) value() money.Amount {
	if a.form == nil {
		return a.fixed
	}
	if v, err := a.entry.Value(); err == nil {
		return v
	}
	return money.Amount{Currency: a.currency()}
}
