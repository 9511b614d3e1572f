package sandbox

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"paydesk/api/money"
	"paydesk/screens/detail"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/ui"
)

// A payOption is an amount to pay: the exact one, and those that show what a wrong one does.
type payOption struct {
	amount  money.Amount
	meaning string
}

const overpayment = 1_00 // the excess of the overpayment, in minor units

// openPay opens the choice of how much of the marked payment is paid, or says why it cannot be.
func (m *Model) openPay() tea.Cmd {
	return m.with(whyNot("P"), func(p payment) tea.Cmd {
		now := func() payment { // it may have been paid meanwhile
			if p, ok := m.payment(p.Reference); ok {
				return p
			}
			return p
		}
		of := chooser("Pay a transfer", "Payment", nil, func(o payOption) []ui.Cell { return []ui.Cell{{Text: o.amount.String()}, {Text: o.meaning}} },
			ui.Column{Title: "Pay", Width: 18, Right: true}, ui.Column{Title: "Meaning", Width: 20, Grow: true})
		of.All = func() []payOption { return now().payOptions() }
		of.Says = func(_ payOption, _ bool, w, _ int) []present.Line {
			p := now()
			words, _ := p.situation()
			return m.facts(w, fact{rankWhere, "Reference", p.Reference}, fact{rankMoney, "Received", p.received()}, fact{rankKeep, "Now", words})
		}
		of.Commands = func(o payOption, some bool) ui.Commands {
			return ui.Commands{{Key: ui.Bind("enter", "pay"), On: some, Do: func() tea.Cmd { return tea.Batch(m.pay(p.Reference, o.amount), nav.Pop) }}}
		}
		return detail.NewChooser(m.Body, of).Open(0)
	})
}

// payOptions lists what may be paid of a transfer now.
func (p payment) payOptions() []payOption {
	left := p.missing()
	half, over := left, left
	half.Minor /= 2
	over.Minor += overpayment
	all := []payOption{{left, "exactly what is due"}}
	if half.Minor > 0 {
		all = append(all, payOption{half, "too little: the rest stays due"})
	}
	return append(all, payOption{over, "too much"})
}

// pay pays an amount, as a customer at their bank would.
func (m *Model) pay(reference string, paid money.Amount) tea.Cmd {
	box := m.sandbox
	return m.act(func(ctx context.Context) error {
		_, err := box.Pay(ctx, reference, paid.Major())
		return err
	}, func(err error) tea.Cmd {
		now, _ := m.payment(reference)
		return m.tell(paid.String() + " was paid; the payment is now " + now.State + ".")(err)
	})
}
