package sandbox

import (
	"context"
	"errors"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/sandbox"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/ui"
)

// An action changes the state of a payment.
type action struct {
	binding  key.Binding
	disabled func(payment) string // why the action is not possible; "" when it is
	what     string               // as the sandbox calls it
	result   string
}

// actions are in the order of the help bar: what a customer decides, then what time brings.
func actions() []action {
	return []action{
		{ui.Bind("A", "approve"), payment.whyNotAnswer, "approve", "The customer approved"},
		{ui.Bind("N", "reject"), payment.whyNotAnswer, "reject", "The customer rejected"},
		{ui.Bind("S", "settle"), payment.whyNotSettle, "settle", "The payment settled"},
		{ui.Bind("X", "expire"), payment.whyNotExpire, "expire", "The account expired"},
		{ui.Bind("D", "decline"), payment.whyNotDecline, "decline", "The bank declined"},
	}
}

// perform applies an action to the selected payment.
func (m *Model) perform(a action) tea.Cmd {
	return m.with(a.disabled, func(p payment) tea.Cmd {
		box := m.sandbox
		return m.change(func(ctx context.Context) (sandbox.PaymentView, error) {
			return box.Change(ctx, p.Reference, a.what)
		}, func(now sandbox.PaymentView, err error) tea.Cmd {
			switch later, _ := m.payment(p.Reference); {
			case errors.Is(err, sandbox.ErrState): // the payment changed in the meantime
				return m.Warn("Too late: the payment is already " + later.State + ".")
			case err != nil:
				return m.Warn(explain(err))
			}
			return m.Notify(a.result + "; the payment is now " + now.State + ".")
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
	whyNot := func(p payment) string { return present.WhyNotCopied("reference", p.Reference) }
	return m.with(whyNot, func(p payment) tea.Cmd { return m.Copy("reference", p.Reference) })
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

const (
	finalText          = "This payment is final."
	awaitsFinalizeText = "The customer's part is done. Finalize the payment."
)

// whyNotAnswer returns why the customer has nothing to decide at the bank, "" when they have. So are the
// others, for what they name.
func (p payment) whyNotAnswer() string {
	switch {
	case p.isTransfer():
		return "Transfers have no bank check: the customer pays them (P)."
	case p.final():
		return finalText
	case p.status().State != api.Initiated:
		return "This payment is already authorised."
	}
	return ""
}

func (p payment) whyNotSettle() string {
	switch {
	case p.final():
		return finalText
	case p.awaitsFinalize():
		return awaitsFinalizeText
	case !p.isTransfer() && p.status().State == api.Initiated:
		return "The bank check comes first: approve the payment (A)."
	}
	return ""
}

func (p payment) whyNotPay() string {
	if !p.isTransfer() {
		return "Only transfers are paid into an account; other payments settle (S)."
	}
	return p.whyNotSettle()
}

func (p payment) whyNotExpire() string {
	if !p.isTransfer() {
		return "Only transfers have an account that expires."
	}
	return p.whyNotSettle()
}

func (p payment) whyNotDecline() string {
	switch {
	case p.isTransfer():
		return "Transfers have no bank that can decline: their account expires (X)."
	case p.final():
		return finalText
	}
	return ""
}

var collect = ui.Bind("c", "collect")

// commands are the keys of the payments.
func (m *Model) commands(payment, bool) ui.Commands {
	p, ok := m.Shown() // so that the help bar waits for the mark to rest, too
	var cs ui.Commands
	for _, a := range actions() {
		cs = append(cs, ui.Command{Key: a.binding, On: ok && a.disabled(p) == "", Do: func() tea.Cmd { return m.perform(a) }})
	}
	return append(cs, ui.Commands{
		{Key: ui.Bind("P", "pay"), On: ok && p.whyNotPay() == "", Do: m.openPay},
		{Key: collect, On: true, Do: func() tea.Cmd { return nav.Open(nav.Collect{}) }},
		{Key: ui.Bind("F", "fault"), On: true, Do: m.openFaults},
		{Key: ui.Bind("T", "clock"), On: true, Do: m.openClock},
		{Key: ui.Bind("O", "switches"), On: true, Do: m.openSwitches},
		{Key: ui.Bind("W", "webhooks"), On: true, Do: m.openWebhooks},
		m.clearFaults(),
		{Key: ui.Bind("R", "reset"), On: true, Do: m.askReset},
		{Key: ui.Bind("y", "copy reference"), On: ok && present.Copyable(p.Reference), Do: m.copy},
	}...)
}
