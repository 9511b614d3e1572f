package report

import (
	"strings"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/screens/present"
)

// WhyElsewhere and the others below say why a key does nothing about a subject, wherever that is shown; "" where it does something.
// This one returns why nothing can be done here about what was sent to another service: the one that is connected knows nothing of it.
func (k Subject) WhyElsewhere() string {
	if k.Here == (ledger.Destination{}) || k.Here.IsSameService(k.Destination) {
		return ""
	}
	return "It was sent to another service: open that service's profile to continue."
}

// WhyNoStatus returns why its payment cannot be watched.
func (k Subject) WhyNoStatus() string {
	if why := k.WhyElsewhere(); why != "" || k.Reference != "" {
		return why
	}
	return "It has no payment reference, and so no status."
}

// WhyNothingToDecide returns why no decision is to be made about it. One that was made can be replaced by another, and a payment that
// is under way need not be followed.
func (k Subject) WhyNothingToDecide() string {
	open := k.Outcome == ledger.Unresolved || !k.Mismatch.IsZero() || k.Decision == ledger.NotFollowed || k.UnderWay() && !k.LookedUp
	switch why := k.WhyElsewhere(); {
	case why != "" || open:
		return why
	case k.LookedUp:
		return "There is nothing to decide."
	case k.Outcome == ledger.Sent:
		return "There is nothing to decide before the service has answered."
	}
	return "There is nothing to decide: its outcome is recorded."
}

// WhyNotAgain returns why it is not to be collected again; "" for a payment that failed, or was never made, and has brought no money.
func (k Subject) WhyNotAgain() string {
	switch failed, brought := k.Status.State == api.Failed, present.Brought(k.Received); {
	case failed && !k.Mismatch.IsZero():
		return "This payment is a mismatch: find out what was charged before you collect it again."
	case failed && brought != "":
		return "Money " + brought + ". " + present.AskAboutMoney
	case k.answered() && !failed, !k.CameToNothing():
		return "Only a payment that failed, or was never made, can be collected again."
	}
	return k.WhyElsewhere()
}

// WhyNoAnswer returns why no answer of the service about it can be copied.
func (k Subject) WhyNoAnswer() string {
	unknown := k.Live != nil && api.NotFound(k.Live.Err)
	if k.Kind == ledger.Initiate && k.Reference != "" && (unknown || k.answered() || !k.Mismatch.IsZero()) {
		return ""
	}
	return "The service has not answered yet, so there is nothing to copy."
}

// Answer returns how the service last answered about a payment, in a line to paste where a colleague asked; "" before it has.
func (k Subject) Answer() string {
	if k.WhyNoAnswer() != "" {
		return ""
	}
	r, at := Of(k), k.StatusAt
	says := r.Status.Text + "."
	for _, s := range r.Says {
		if s.In.has(InFile) {
			says += " " + s.Text
		}
	}
	if !k.answered() && k.Mismatch.IsZero() {
		says, at, r.Amount, r.Remark = present.NoRecord, k.Live.AnsweredAt, "", ""
	}
	line := "Payment " + k.Reference.String()
	if r.Amount != "" {
		line += ", " + strings.TrimSpace(r.Amount+" "+r.Remark)
	}
	line += ": " + says + " Checked at " + stamp(at) + "."
	if to := k.Destination; to != (ledger.Destination{}) {
		line += " " + present.Target{Environment: present.Plain(to.Environment), Host: present.Plain(to.Host)}.String() + "."
	}
	if k.ID != "" && !k.LookedUp {
		line += " Attempt " + present.Plain(string(k.ID)) + "."
	}
	return line
}
