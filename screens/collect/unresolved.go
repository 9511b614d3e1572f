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

// An outcome is what is kept of a payment once its card is wiped.
type outcome struct {
	asked   money.Amount
	next    nav.Route   // where it goes on
	payment api.Payment // as the service answered

	// For a payment without an answer:
	channel   string
	card      string // masked
	customer  api.Customer
	link      api.Alias
	reference string // our own, "" when none was sent
	at        time.Time
	trouble   present.Problem
}

// onUnresolved goes to the attempt as it was written down. Where nothing is written down this
// screen keeps what there is to compare, and nothing that could be sent again.
func (m *Model) onUnresolved(a ui.Result[sent]) tea.Cmd {
	var lost *journal.UnresolvedAttempt
	if errors.As(a.Err, &lost) {
		m.wipe()
		return nav.ReplaceWith(nav.Attempt{ID: lost.ID})
	}
	in := m.review.in
	o := outcome{
		asked: in.Amount, channel: in.Channel, card: m.review.card, customer: in.Customer,
		link: in.Link, at: a.Value.at, trouble: present.Error(a.Err, present.Sending),
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
		m.notice = "Press a once you have read it."
	}
	return nil
}

// unresolvedKeys takes the keys of a payment nobody knows about: none of them sends.
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
	l := lister{theme: m.theme, w: w}
	l.add("Asked for", o.asked.String())
	if o.payment.HasAmount {
		l.add("Answered", o.payment.Amount.String())
	}
	l.add("Reference", string(o.payment.Reference))
	return spaced(w, h,
		[]string{m.theme.Mark(ui.ToneBad, "AMOUNT MISMATCH")},
		ui.Wrap("The payment was made, but the answer is about another amount: "+o.payment.Mismatch.Line(0)+".", w),
		l.lines,
		ui.Wrap("Compare it in the service's dashboard before you hand anything out, "+
			"and take no other payment until it is clear.", w),
		ui.Wrap("Press a once you have read this; then the payment is shown.", w))
}

func (m *Model) viewUnresolved(w, h int) string {
	o := m.outcome
	l := lister{theme: m.theme, w: w}
	l.add("Amount", o.asked.String())
	l.add("Channel", strings.Trim(o.channel+" · "+o.card, " ·"))
	l.add("Customer", o.customer.FirstName+" "+o.customer.LastName)
	l.add("Link", string(o.link))
	l.add("Our reference", o.reference)
	sent := m.options.Place.String()
	if !o.at.IsZero() {
		sent = present.Clock(o.at) + " to " + sent
	}
	l.add("Sent", sent)
	why := o.trouble
	why.Done, why.Next = "", "" // the lines around it say that
	said := append([]string{m.theme.Mark(ui.ToneUnknown, "Nobody knows whether this payment was made.")}, why.Lines(m.theme, w)...)
	return spaced(w, h, said[:min(len(said), 3)], l.lines,
		ui.Wrap("No key here sends it another time. Look for the same amount, time and customer in the list "+
			"and in the service's dashboard; take no other payment for this until it is clear.", w))
}
