package sandbox

import (
	"context"
	"errors"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/money"
	"paydesk/api/sandbox"
	"paydesk/screens/detail"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/ui"
)

// An action changes the state of a payment.
type action struct {
	key    string
	what   string // as the sandbox calls it
	result string
}

// actions are what a customer decides, then what time brings.
func actions() []action {
	return []action{
		{"A", "approve", "The customer approved"},
		{"N", "reject", "The customer rejected"},
		{"S", "settle", "The money arrived"},
		{"X", "expire", "The account expired"},
		{"D", "decline", "The bank declined"},
	}
}

// perform applies an action to the selected payment.
func (m *Model) perform(a action) tea.Cmd {
	return m.with(whyNot(a.key), func(p payment) tea.Cmd {
		box := m.sandbox
		return m.act(func(ctx context.Context) error {
			_, err := box.Change(ctx, p.Reference, a.what)
			return err
		}, func(err error) tea.Cmd {
			now, _ := m.payment(p.Reference)
			if errors.Is(err, sandbox.ErrState) { // the payment changed in the meantime
				return m.Warn("Too late: the payment is already " + now.State + ".")
			}
			return m.tell(a.result + "; the payment is now " + now.State + ".")(err)
		})
	})
}

// with does something with the selected payment, or says why it cannot.
func (m *Model) with(whyNot func(payment) string, do func(payment) tea.Cmd) tea.Cmd {
	p, ok := m.Selected()
	if !ok {
		return m.Warn("There is no payment yet. Collect one first.")
	}
	if why := whyNot(p); why != "" {
		return m.Warn(why)
	}
	return do(p)
}

// copy copies the reference of the selected payment if it is safe to.
func (m *Model) copy() tea.Cmd {
	unsafe := func(p payment) string { return present.WhyNotCopied("reference", p.Reference) }
	return m.with(unsafe, func(p payment) tea.Cmd { return m.Copy("reference", p.Reference) })
}

// A payment is a payment of the sandbox.
type payment struct{ sandbox.PaymentView }

// status is the true state. Like any status, it is success only for the accepted words.
func (p payment) status() api.Status { return api.ParseStatus(p.State) }

// final reports whether nothing can change the payment any more.
func (p payment) final() bool { return p.status().State.Final() }

// isTransfer reports whether the payment is made into an account, by the customer.
func (p payment) isTransfer() bool { return p.Channel == api.ChannelTransfer }

// awaitsFinalize reports whether the payment continues only once it is finalized.
func (p payment) awaitsFinalize() bool {
	if p.status().State != api.Pending {
		return false
	}
	if p.isTransfer() {
		return p.missing().Minor <= 0
	}
	return p.Ends.IsZero()
}

// whyNot returns what says why a payment cannot be changed by a key now, "" where it can be.
func whyNot(key string) func(payment) string {
	return func(p payment) string {
		if words, keys := p.situation(); !strings.Contains(keys, key) {
			return words
		}
		return ""
	}
}

var collect = ui.Bind("c", "collect")

// commands are the keys of the payments.
func (m *Model) commands(payment, bool) ui.Commands {
	p, ok := m.Shown() // so that the help bar waits for the mark to rest, too
	var cs ui.Commands
	for _, a := range actions() {
		cs = append(cs, ui.Command{Key: ui.Bind(a.key, a.what), On: ok && whyNot(a.key)(p) == "", Do: func() tea.Cmd { return m.perform(a) }})
	}
	cs = append(cs, ui.Command{Key: ui.Bind("P", "pay"), On: ok && whyNot("P")(p) == "", Do: m.openPay})
	_, keys := p.situation()
	at := func(c ui.Command) int { return strings.Index(keys, c.Key.Help().Key) }
	slices.SortStableFunc(cs, func(a, b ui.Command) int { return at(a) - at(b) })
	return append(cs, ui.Commands{
		{Key: collect, On: true, Do: func() tea.Cmd { return nav.Open(nav.Collect{}) }},
		{Key: ui.Bind("F", "fault"), On: true, Do: m.openFaults},
		m.clearFaults(),
		{Key: ui.Bind("T", "clock"), On: true, Do: m.openClock},
		{Key: ui.Bind("O", "switches"), On: true, Do: m.openSwitches},
		{Key: ui.Bind("W", "webhooks"), On: true, Do: m.openWebhooks},
		{Key: ui.Bind("R", "reset"), On: true, Do: m.askReset},
		{Key: ui.Bind("y", "copy ref."), On: ok && present.Copyable(p.Reference), Do: m.copy},
	}...)
}

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
