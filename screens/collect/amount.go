package collect

import (
	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/money"
	"paydesk/ui"
)

// other is the choice of a currency by its code.
const other = "other"

// An amountStep is the form for the amount and its currency. A link fixes the currency; a static
// link fixes the amount too and leaves no form.
type amountStep struct {
	form    *ui.Form // nil if the link fixes the amount
	choice  *ui.ChoiceField
	code    *ui.TextField
	entry   *ui.AmountField
	link    money.Currency // of the link, zero without one
	fixed   money.Amount   // of a static link
	hasCode bool           // the form has the code field
}

func newAmountStep(t *ui.Theme, link *api.Link) *amountStep {
	a := &amountStep{}
	if link != nil {
		a.link = link.Amount.Currency
		if fixes(*link) {
			a.fixed = link.Amount
			return a
		}
	}
	a.choice = ui.NewChoiceField(t, "Currency", "what the customer pays in", "NGN", "GBP", "CAD", other)
	a.code = ui.NewTextField(t, "Currency code", "three letters, such as EUR",
		ui.Required(), ui.Limit(3), ui.Checked(knownCurrency))
	a.entry = ui.NewAmountField(t, "Amount", "for example 12.50", a.currency)
	a.form = ui.NewForm(t, a.fields()...)
	a.form.SubmitLabel("next step")
	return a
}

// fixes reports whether a link fixes the amount. A static link whose amount could not be parsed
// does not: the service checks the amount that is entered.
func fixes(l api.Link) bool {
	return l.AmountType == api.Static && l.HasAmount && l.Amount.Minor > 0 && !l.Amount.Currency.IsZero()
}

func knownCurrency(code string) string {
	if _, err := money.ParseCurrency(code); err != nil {
		return "Unknown currency code; enter three letters, such as EUR"
	}
	return ""
}

func (a *amountStep) fields() []ui.Field {
	a.hasCode = a.needsCode()
	switch {
	case !a.link.IsZero():
		return []ui.Field{a.entry}
	case a.hasCode:
		return []ui.Field{a.choice, a.code, a.entry}
	}
	return []ui.Field{a.choice, a.entry}
}

func (a *amountStep) needsCode() bool { return a.link.IsZero() && a.choice.Value() == other }

// syncFields adds or removes the code field after the choice of currency has changed.
func (a *amountStep) syncFields() {
	if a.form != nil && a.needsCode() != a.hasCode {
		a.form.SetFields(a.fields()...)
	}
}

// currency is the chosen one, zero if it cannot be parsed.
func (a *amountStep) currency() money.Currency {
	if !a.link.IsZero() {
		return a.link
	}
	code := a.choice.Value()
	if code == other {
		code = a.code.Value()
	}
	c, _ := money.ParseCurrency(code)
	return c
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

// pressFixed handles a key where a static link leaves nothing to enter.
func (m *Model) pressFixed(msg tea.Msg) tea.Cmd {
	if pressed(msg, ui.Submit) {
		return m.toChannels()
	}
	switch msg.(type) {
	case tea.KeyPressMsg, tea.PasteMsg:
		return m.Warn("The link fixes the amount; it cannot be changed here.")
	}
	return nil
}
