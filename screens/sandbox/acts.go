package sandbox

import (
	"charm.land/bubbles/v2/key"

	"paydesk/api"
	"paydesk/api/sandbox"
	"paydesk/ui"
)

// An act is what somebody or something would do to a payment.
type act struct {
	binding key.Binding
	why     func(payment) string // it is not open, "" when it is
	do      func(Sandbox, string) bool
	said    string
}

func acts() []act {
	return []act{
		{bind("a", "approve"), payment.whyNotAnswer, Sandbox.Approve, "The customer approved"},
		{bind("r", "reject"), payment.whyNotAnswer, Sandbox.Reject, "The customer rejected"},
		{bind("s", "settle"), payment.whyNotSettle, Sandbox.Settle, "The money came"},
		{bind("e", "expire"), payment.whyNotExpire, Sandbox.Expire, "The account expired"},
		{bind("d", "decline"), payment.whyNotDecline, Sandbox.Decline, "The issuer declined"},
	}
}

// act does an act to the selected payment, or says why not.
func (l *list) act(a act) {
	p, ok := l.selected()
	if !ok {
		l.m.say(ui.ToneAct, noPayment)
		return
	}
	if why := a.why(p); why != "" {
		l.m.say(ui.ToneAct, why)
		return
	}
	did := a.do(l.m.box, p.Reference)
	now, _ := l.m.box.Payment(p.Reference)
	if !did { // time was faster
		l.m.say(ui.ToneAct, "Too late: it is "+now.State+" by now.")
		return
	}
	l.m.say(ui.ToneNone, a.said+"; it is "+now.State+" now.")
}

const noPayment = "There is no payment here yet: collect one first."

// A payment is one the sandbox holds.
type payment struct{ sandbox.PaymentView }

// status is the true state, taken as any status is: only the accepted words are
// success.
func (p payment) status() api.Status { return api.ParseStatus(p.State) }

func (p payment) final() bool { return p.status().State.Final() }

func (p payment) isTransfer() bool { return p.Channel == api.ChannelTransfer }

// waits reports whether the payment goes on only when it is finalized.
func (p payment) waits() bool {
	if p.status().State != api.Pending {
		return false
	}
	if p.isTransfer() {
		return p.missing().Minor <= 0
	}
	return p.Ends.IsZero()
}

const (
	atItsEnd = "This payment has come to its end."
	unwanted = "It waits to be finalized: the customer's part is done."
)

func (p payment) whyNotAnswer() string {
	switch {
	case p.isTransfer():
		return "A transfer has no bank's check: the customer pays it (p)."
	case p.final():
		return atItsEnd
	case p.status().State != api.Initiated:
		return "The bank asks nothing any more: it is authorised."
	}
	return ""
}

func (p payment) whyNotSettle() string {
	switch {
	case p.final():
		return atItsEnd
	case p.waits():
		return unwanted
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
		return atItsEnd
	}
	return ""
}
