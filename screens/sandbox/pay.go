package sandbox

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/api/money"
	"paydesk/screens/present"
	"paydesk/ui"
)

// A payChooser chooses how much of a transfer to pay.
type payChooser struct {
	base
	payment
	options []payOption
}

type payOption struct {
	amount  money.Amount
	meaning string
}

const overpayment = 1_00 // the excess of the overpayment, in minor units

// openPay opens the chooser for the selected payment, or says why it cannot.
func (l *list) openPay() tea.Cmd {
	p, ok := l.selected()
	if !ok {
		return l.m.notify(ui.ToneAct, noPaymentText)
	}
	if why := p.whyNotPay(); why != "" {
		return l.m.notify(ui.ToneAct, why)
	}
	c := &payChooser{payment: p, base: newBase(l.m, "Sandbox: pay a transfer",
		ui.Column{Title: "Pay", Width: 18, Right: true},
		ui.Column{Title: "Meaning", Width: 20, Grow: true},
	)}
	c.read()
	return l.m.open(c)
}

// read recomputes the options, since the transfer may have been paid meanwhile.
func (c *payChooser) read() {
	if v, ok := c.m.sandbox.Payment(c.Reference); ok {
		c.payment = payment{v}
	}
	left := c.missing()
	half, over := left, left
	half.Minor /= 2
	over.Minor += overpayment
	c.options = []payOption{{left, "exactly what is due"}}
	if half.Minor > 0 {
		c.options = append(c.options, payOption{half, "too little: the rest stays due"})
	}
	c.options = append(c.options, payOption{over, "too much"})
	c.setRows(len(c.options), func(i int) []ui.Cell {
		return []ui.Cell{{Text: c.options[i].amount.String()}, {Text: c.options[i].meaning}}
	})
}

func (c *payChooser) foot(w int) []present.Line {
	received := amount(c.Received, c.Currency).Major() + " of " + c.total().String()
	lines := c.m.fact(rankWhere, "Reference", c.Reference, w)
	lines = append(lines, c.m.fact(rankMoney, "Received", received, w)...)
	return append(lines, c.m.fact(rankKeep, "Now", c.situation(), w)...)
}

func (c *payChooser) keys() []key.Binding {
	return append([]key.Binding{enterKey("pay")}, c.table.Keys()[:1]...)
}

func (c *payChooser) press(k tea.KeyPressMsg) tea.Cmd {
	if !isKey(k, enterKey("")) {
		c.table.Update(k)
		return nil
	}
	paid := c.options[max(c.table.Selected(), 0)].amount
	if err := c.m.sandbox.Pay(c.Reference, paid.Major()); err != nil {
		c.m.overlay = nil
		return c.m.notify(ui.ToneAct, present.Sentence(err.Error()))
	}
	c.read()
	return c.m.closeWith(paid.String() + " was paid; the payment is now " + c.State + ".")
}
