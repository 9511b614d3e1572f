package sandbox

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"paydesk/api/money"
	"paydesk/api/sandbox"
	"paydesk/screens/present"
	"paydesk/ui"
)

// A payChooser chooses how much of a transfer to pay.
type payChooser struct {
	base
	payment
	options []payOption
}

// A payOption is an amount to pay: the exact one, and those that show what a wrong one does.
type payOption struct {
	amount  money.Amount
	meaning string
}

const overpayment = 1_00 // the excess of the overpayment, in minor units

// openPay opens the chooser for the selected payment, or says why it cannot.
func (l *list) openPay() tea.Cmd {
	return l.with(payment.whyNotPay, func(p payment) tea.Cmd {
		c := &payChooser{payment: p, base: newBase(l.m, "Pay a transfer", "Payment", 1,
			ui.Column{Title: "Pay", Width: 18, Right: true},
			ui.Column{Title: "Meaning", Width: 20, Grow: true},
		)}
		c.read()
		return l.m.open(c)
	})
}

// read recomputes the options, since the transfer may have been paid meanwhile.
func (c *payChooser) read() {
	if p, ok := c.m.payment(c.Reference); ok {
		c.payment = p
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
	c.setRows(c.options, len(c.options), func(i int) []ui.Cell {
		return []ui.Cell{{Text: c.options[i].amount.String()}, {Text: c.options[i].meaning}}
	})
}

func (c *payChooser) foot(w int) []present.Line {
	return c.m.facts(w, fact{rankWhere, "Reference", c.Reference}, fact{rankMoney, "Received", c.received()}, fact{rankKeep, "Now", c.situation()})
}

func (c *payChooser) commands() ui.Commands {
	return ui.Commands{{Key: ui.Bind("enter", "pay"), On: true, Do: c.pay}}
}

// pay pays the selected amount, as a customer at their bank would.
func (c *payChooser) pay() tea.Cmd {
	paid := c.options[max(c.table.Selected(), 0)].amount
	box, reference := c.m.sandbox, c.Reference
	return c.m.change(func(ctx context.Context) (sandbox.PaymentView, error) {
		return box.Pay(ctx, reference, paid.Major())
	}, func(now sandbox.PaymentView, err error) tea.Cmd {
		if c.m.overlay = nil; err != nil {
			return c.m.Warn(explain(err))
		}
		return c.m.Notify(paid.String() + " was paid; the payment is now " + now.State + ".")
	})
}
