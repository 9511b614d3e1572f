package collect

import (
	"errors"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/money"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/ui"
)

// An outcome is a sent payment without its card.
type outcome struct {
	requested money.Amount
	next      nav.Route   // the screen that follows
	payment   api.Payment // the response

	// Of an unresolved payment:
	channel   string
	card      string // masked
	customer  api.Customer
	link      api.Alias
	reference string // our own, "" if none was sent
	at        time.Time
	problem   present.Problem
}

// onUnresolved goes to the attempt in the journal. Without a journal this screen keeps the facts to
// compare, and nothing that could be sent again.
func (m *Model) onUnresolved(a ui.Result[sent]) tea.Cmd {
	var attempt *journal.UnresolvedAttempt
	if errors.As(a.Err, &attempt) {
		m.wipe()
		return nav.ReplaceWith(nav.Attempt{ID: attempt.ID})
	}
	in := m.review.in
	o := outcome{
		requested: in.Amount, channel: in.Channel, card: m.review.card, customer: in.Customer,
		link: in.Link, at: a.Value.at, problem: present.Error(a.Err, present.Sending),
	}
	if strings.Contains(m.service.InitiationBody(in), in.OwnReference) {
		o.reference = in.OwnReference
	}
	m.wipe()
	m.stage, m.outcome = unresolved, o
	return nil
}

// acknowledge waits for a key that nobody holds down or types ahead.
func (m *Model) acknowledge(msg tea.Msg) tea.Cmd {
	if pressed(msg, keySeen) {
		return nav.ReplaceWith(m.outcome.next)
	}
	if _, ok := msg.(tea.KeyPressMsg); ok {
		m.notice = "Press a to acknowledge."
	}
	return nil
}

// unresolvedKeys handles the keys of an unresolved payment: none of them sends.
func (m *Model) unresolvedKeys(msg tea.Msg) tea.Cmd {
	switch {
	case pressed(msg, keyList):
		return nav.Open(nav.Transactions{})
	case pressed(msg, keyHome):
		return func() tea.Msg { return nav.Restart{To: nav.Home{}} }
	}
	return nil
}

func (m *Model) viewMismatch(w, h int) string {
	o := m.outcome
	l := factList{theme: m.theme, w: w}
	l.add("Requested", o.requested.String())
	if o.payment.HasAmount {
		l.add("Reported", o.payment.Amount.String())
	}
	l.add("Reference", string(o.payment.Reference))
	return spaced(w, h,
		[]string{m.theme.Mark(ui.ToneBad, "AMOUNT MISMATCH")},
		ui.Wrap("The payment was made, but for a different amount: "+o.payment.Mismatch.Line(0)+".", w),
		l.lines,
		ui.Wrap("Check it in the provider's dashboard before you release anything, "+
			"and take no other payment until it is clear.", w),
		ui.Wrap("Press a to acknowledge and open the payment.", w))
}

func (m *Model) viewUnresolved(w, h int) string {
	o := m.outcome
	l := factList{theme: m.theme, w: w}
	l.add("Amount", o.requested.String())
	l.add("Channel", strings.Trim(o.channel+" · "+o.card, " ·"))
	l.add("Customer", o.customer.FirstName+" "+o.customer.LastName)
	l.add("Link", string(o.link))
	l.add("Our reference", o.reference)
	sent := m.options.Target.String()
	if !o.at.IsZero() {
		sent = present.Clock(o.at) + " to " + sent
	}
	l.add("Sent", sent)
	why := o.problem
	why.Done, why.Next = "", "" // the heading and the last paragraph say it
	lines := why.Lines(m.theme, w)
	top := append(present.UnresolvedHeading(m.theme, w, "It is not known whether this payment was made."), lines[:min(len(lines), 2)]...)
	return spaced(w, h, top, l.lines,
		ui.Wrap("paydesk will not send it again. Look for the same amount, time and customer in the transactions "+
			"and in the provider's dashboard. Take no other payment for this until it is clear.", w))
}
