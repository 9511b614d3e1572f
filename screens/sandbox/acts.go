package sandbox

import (
	"charm.land/bubbles/v2/key"

	"paydesk/api"
	"paydesk/api/sandbox"
	"paydesk/ui"
)

// An action is what somebody or something would do to a payment.
type action struct {
	binding  key.Binding
	disabled func(payment) string // it is not open, "" when it is
	do       func(Sandbox, string) bool
	result   string
}

func actions() []action {
	return []action{
		{bind("a", "approve"), payment.whyNotAnswer, Sandbox.Approve, "The customer approved"},
		{bind("r", "reject"), payment.whyNotAnswer, Sandbox.Reject, "The customer rejected"},
		{bind("s", "settle"), payment.whyNotSettle, Sandbox.Settle, "The money came"},
		{bind("e", "expire"), payment.whyNotExpire, Sandbox.Expire, "The account expired"},
		{bind("d", "decline"), payment.whyNotDecline, Sandbox.Decline, "The issuer declined"},
	}
}

// perform does an act to the selected payment, or says why not.
func (l *list) perform(a action) {
	p, ok := l.selected()
	if !ok {
		l.m.notify(ui.ToneAct, noPaymentText)
		return
	}
	if why := a.disabled(p); why != "" {
		l.m.notify(ui.ToneAct, why)
		return
	}
	did := a.do(l.m.sandbox, p.Reference)
	now, _ := l.m.sandbox.Payment(p.Reference)
	if !did { // time was faster
		l.m.notify(ui.ToneAct, "Too late: it is "+now.State+" by now.")
		return
	}
	l.m.notify(ui.ToneNone, a.result+"; it is "+now.State+" now.")
}

const noPaymentText = "There is no payment here yet: collect one first."

// A payment is one the sandbox holds.
type payment struct{ sandbox.PaymentView }

// status is the true state, taken as any status is: only the accepted words are
// success.
func (p payment) status() api.Status { return api.ParseStatus(p.State) }

func (p payment) final() bool { return p.status().State.Final() }

func (p payment) isTransfer() bool { return p.Channel == api.ChannelTransfer }

// awaitsFinalize reports whether the payment goes on only when it is finalized.
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
	finalText          = "This payment has come to its end."
	awaitsFinalizeText = "It waits to be finalized: the customer's part is done."
)

func (p payment) whyNotAnswer() string {
	switch {
	case p.isTransfer():
		return "A transfer has no bank's check: the customer pays it (p)."
	case p.final():
		return finalText
	case p.status().State != api.Initiated:
		return "The bank asks nothing any more: it is authorised."
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
		return "The bank's check comes first: approve it (a)."
	}
	return ""
}

func (p payment) whyNotPay() string {
	if !p.isTransfer() {
		return "Only a transfer is paid into an account; a card settles (s)."
	}
	return p.whyNotSettle()
}

func (p payment) whyNotExpire() string {
	if !p.isTransfer() {
		return "Only the account of a transfer expires."
	}
	return p.whyNotSettle()
}

func (p payment) whyNotDecline() string {
	switch {
	case p.isTransfer():
		return "Only a card has an issuer who can decline."
	case p.final():
		return finalText
	}
	return ""
}
