package collect

import (
	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/money"
	"paydesk/ui"
)

// other is the choice that asks for a currency's code.
const other = "other"

// An amountStep asks what to charge. A link fixes the currency, and a static one the
// amount too; then there is no form.
type amountStep struct {
	form   *ui.Form // nil when the link fixes the amount
	choice *ui.ChoiceField
	code   *ui.TextField
	entry  *ui.AmountField
	link   money.Currency // of the link, zero for none
	fixed  money.Amount   // of a static link
	shows  bool           // the form has the code in it
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
	a.entry = ui.NewAmountField(t, "Amount", "in major units, such as 12.50", a.currency)
	a.form = ui.NewForm(t, a.fields()...)
	a.form.SubmitLabel("next step")
	return a
}

// fixes reports whether a link decides the amount: a static one does. One whose
// amount could not be read cannot, and the service checks what is typed.
func fixes(l api.Link) bool {
	return l.AmountType == api.Static && l.HasAmount && l.Amount.Minor > 0 && !l.Amount.Currency.IsZero()
}

func knownCurrency(code string) string {
	if _, err := money.ParseCurrency(code); err != nil {
		return "That is not a currency code we know, so it cannot be paid in"
	}
	return ""
}

func (a *amountStep) fields() []ui.Field {
	a.shows = a.asksCode()
	switch {
	case !a.link.IsZero():
		return []ui.Field{a.entry}
	case a.shows:
		return []ui.Field{a.choice, a.code, a.entry}
	}
	return []ui.Field{a.choice, a.entry}
}

func (a *amountStep) asksCode() bool { return a.link.IsZero() && a.choice.Value() == other }

// lay puts the code into the form or takes it out when the choice of a currency has
// changed.
func (a *amountStep) lay() {
	if a.form != nil && a.asksCode() != a.shows {
		a.form.SetFields(a.fields()...)
	}
}

// currency is the one that is chosen now, zero when it cannot be read.
func (a *amountStep) currency() money.Currency {
	if !a.link.IsZero() {
		return a.link
	}
	code := a.choice.Value()
	if code == other {
		code = a.code.Value()
	}
	c, _ := money.ParseCurrency(code) // zero when it is none
	return c
}

// value is the amount; without one that can be read it has the currency alone.
func (a *amountStep) value() money.Amount {
	if a.form == nil {
		return a.fixed
	}
	if v, err := a.entry.Value(); err == nil {
		return v
	}
	return money.Amount{Currency: a.currency()}
}

// currencyField is where a complaint about the currency belongs, nil for nowhere.
func (a *amountStep) currencyField() ui.Field {
	switch {
	case a.form == nil || !a.link.IsZero():
		return nil
	case a.shows:
		return a.code
	}
	return a.choice
}

// passFixed takes a key where a static link leaves nothing to fill in.
func (m *Model) passFixed(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		if pressed(msg, ui.Submit) {
			return m.toChannels()
		}
		m.notice = "The link fixes the amount; it cannot be changed here."
	case tea.PasteMsg:
		m.notice = "The link fixes the amount; it cannot be changed here."
	}
	return nil
}
