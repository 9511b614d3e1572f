package collect

import (
	"errors"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/ui"
)

// An outcome is a sent payment.
type outcome struct {
	in      api.Initiation // without its card
	next    nav.Route      // the screen that follows
	payment api.Payment    // the response

	// Of an unresolved payment:
	card      string // masked
	reference string // our own, "" if none was sent
	at        time.Time
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
	o := outcome{in: in, card: m.review.card, at: a.Value.at}
	o.in.Card = nil
	if strings.Contains(m.service.InitiationBody(in), in.OwnReference) {
		o.reference = in.OwnReference
	}
	m.wipe()
	m.stage, m.outcome, m.problem = unresolved, o, present.Error(a.Err, present.Sending)
	return nil
}

// acknowledge waits for a key that nobody holds down or types ahead.
func (m *Model) acknowledge(msg tea.Msg) tea.Cmd {
	if pressed(msg, keySeen) {
		return nav.ReplaceWith(m.outcome.next)
	}
	if _, ok := msg.(tea.KeyPressMsg); ok {
		return m.Warn("Press a to acknowledge.")
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

func (m *Model) viewMismatch(w, h int) (string, *tea.Cursor) {
	o, reported := m.outcome, ""
	if o.payment.HasAmount {
		reported = o.payment.Amount.String()
	}
	return spaced(w, h,
		[]string{m.Theme.Mark(ui.ToneBad, "AMOUNT MISMATCH")},
		ui.Wrap("The payment was made, but for a different amount: "+o.payment.Mismatch.Line(0)+".", w),
		m.facts(w, "Requested", o.in.Amount.String(), "Reported", reported, "Reference", string(o.payment.Reference)),
		ui.Wrap("Check it in the provider's dashboard before you release anything, "+
			"and take no other payment until it is clear.", w),
		ui.Wrap("Press a to acknowledge and open the payment.", w))
}

func (m *Model) viewUnresolved(w, h int) (string, *tea.Cursor) {
	o, sent := m.outcome, m.options.Target.String()
	if !o.at.IsZero() {
		sent = present.Clock(o.at) + " to " + sent
	}
	why := m.problem
	why.Done, why.Next = "", "" // the heading and the last paragraph say it
	lines := why.Lines(m.Theme, w)
	return spaced(w, h,
		append(present.UnresolvedHeading(m.Theme, w, present.NotKnown(journal.Initiate)), lines[:min(len(lines), 2)]...),
		m.facts(w,
			"Amount", o.in.Amount.String(),
			"Channel", strings.Trim(o.in.Channel+" · "+o.card, " ·"),
			"Customer", o.in.Customer.FirstName+" "+o.in.Customer.LastName,
			"Link", string(o.in.Link),
			"Our reference", o.reference,
			"Sent", sent),
		ui.Wrap("paydesk will not send it again. Look for the same amount, time and customer in the transactions "+
			"and in the provider's dashboard. Take no other payment for this until it is clear.", w))
}
