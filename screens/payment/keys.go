package payment

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/api/session"
	"paydesk/screens/detail"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/screens/report"
	"paydesk/ui"
)

// commands are the keys of a watched payment. One that can do nothing now is not in the help bar,
// and says why when it is pressed.
func (m *Model) commands() ui.Commands {
	pause := "pause"
	if m.state.Phase == session.Paused {
		pause = "resume"
	}
	recorded, noCase, noInbox := m.ours && m.entry.ID != "", "", ""
	pauses := m.state.Phase == session.Polling || m.state.Phase == session.Paused
	subject := m.subject()
	undecidable := m.whyNotDecide(subject)
	if !m.state.History.Any {
		noCase = "There is no case to write before the service has reported a status."
	}
	if !m.Inbox {
		noInbox = "There is no inbox for this profile."
	}
	finalize := ui.Command{Key: ui.Bind("f", "finalize"), On: true, Why: m.whyNotFinalize(), Do: nav.To(nav.Finalize{Reference: m.reference})}
	check := ui.Command{Key: ui.Bind("r", "check now"), On: true, Do: m.checkNow}
	again := ui.Command{Key: ui.Bind("c", "collect again"), On: true, Why: subject.WhyNotAgain(), Do: nav.To(nav.Collect{Again: m.again()})}
	if again.Why == "" { // what comes next is first
		check, again = again, check
	}
	lookUp := ui.Command{Key: ui.Bind("l", "look up"), On: true, Do: another}
	if m.state.Phase == session.NotFound { // as the page says
		again, lookUp = lookUp, again
	}
	first := ui.Commands{
		{Key: ui.Bind("enter", "look that up"), On: m.spelled != "", Do: m.lookUpSpelled},
		{Key: ui.Bind("d", "decide"), On: recorded && !m.mismatch().IsZero(), Why: undecidable, Do: nav.To(nav.Attempt{ID: m.entry.ID, Decide: true})},
		check,
	}
	rest := ui.Commands{
		again,
		m.customersPart(),
		m.CopyReference(m.reference),
		{Key: ui.Bind("w", "case"), On: true, Why: noCase, Do: func() tea.Cmd { return m.Save(detail.Case("payment", subject.Reference.String(), m.caseSubject)) }},
		{Key: ui.Bind("Y", "answer"), On: true, Why: subject.WhyNoAnswer(), Do: func() tea.Cmd { return m.Copy("answer", subject.Answer()) }},
		{Key: ui.Bind("space", pause), On: pauses, Do: m.pause},
		m.Pin(m.payments.IsPinned, m.reference),
		lookUp,
		{Key: ui.Bind("b", m.alerts.Offer()), On: m.mayAlert(), Do: func() tea.Cmd { return m.Notify(m.alerts.Switch()) }},
		{Key: ui.Bind("v", "raw answers"), On: true, Do: nav.To(nav.Raw{Reference: m.reference, Attempt: m.entry.ID})},
		{Key: ui.Bind("h", "arrived webhooks"), On: true, Why: noInbox, Do: nav.To(nav.Inbox{Query: `reference:"` + string(m.reference) + `"`})},
		{Key: ui.Bind("x", "stop following"), On: recorded && m.mismatch().IsZero() && !m.entry.NotFollowed() && m.entry.Open(), Why: undecidable, Do: nav.To(nav.Attempt{ID: m.entry.ID})},
		{Key: ui.Bind("u", "take back"), On: recorded && m.entry.NotFollowed(), Why: undecidable, Do: nav.To(nav.Attempt{ID: m.entry.ID})},
	}
	if m.ours && !m.entry.NeedsFinalize() && m.entry.FinalizeLostAt().IsZero() {
		return slices.Concat(first, rest, ui.Commands{finalize}) // it may be finalized too, but settles without: the help lists it last
	}
	return slices.Concat(first, ui.Commands{finalize}, rest)
}

// customersPart is the key that shows what the customer must do: pay into an account, or act at their bank.
func (m *Model) customersPart() ui.Command {
	if !m.ours || !m.entry.IsTransfer() {
		bank := "approval"
		if m.entry.MayBeCard() {
			bank = "bank check"
		}
		return ui.Command{Key: ui.Bind("a", bank), On: true, Why: m.whyNoBank(), Do: nav.To(nav.Challenge{Reference: m.reference})}
	}
	account := "account to pay into"
	if !m.subject().MayPay() {
		account = "account"
	}
	none := "" // the service returns it only in the response to the initiation
	if m.entry.Payment().Transfer == nil {
		none = "No account to pay into is known for this payment."
	}
	return ui.Command{Key: ui.Bind("a", account), On: true, Why: none, Do: nav.To(nav.Transfer{Reference: m.reference})}
}

// whyNotDecide returns why no decision can be made here about the payment; "" if one can.
func (m *Model) whyNotDecide(k report.Subject) string {
	why := k.WhyNothingToDecide()
	if why == "" && (!m.ours || m.entry.ID == "") {
		why = "Decisions are kept in the journal, and this payment is not in it."
	}
	return why
}

// checkNow requests the status now, and begins to watch again where that had ended.
func (m *Model) checkNow() tea.Cmd {
	if !m.watch.Check() {
		return m.Notify("Already checking.")
	}
	if m.state.Phase == session.NotFound || m.state.Phase == session.Settled { // the answer may be the same
		m.Notify(present.AskedAgain(m.Scope.Now()))
	}
	return m.show(m.watch.State())
}

// another prompts for another reference. The prompt takes the place of this payment, so that a series of look-ups does not
// leave a stack of watches: the one that it was looked up from, or a new one.
func another() tea.Cmd { return nav.ReplaceWith(nav.Payment{}) }

// whyNotFinalize returns why the payment cannot be finalized now; "" when it can be. A mismatch has to be
// decided first, because finalizing moves the funds. A payment that was made
// elsewhere needs a status first, because it may be final.
func (m *Model) whyNotFinalize() string {
	if m.mismatch().Undecided() {
		return present.MismatchFirst
	}
	switch unknown := !m.state.History.Any && !m.ours; {
	case unknown && api.NotFound(m.state.Err):
		return "The service has no such payment, so there is nothing to finalize."
	case unknown:
		return "The status of this payment is not known yet. Check it first (r)."
	}
	return m.entry.WhyNot(ledger.ToFinalize, m.Scope.Now())
}

// whyNoBank returns why there is nothing of the bank's to present; "" when there is something. Of a card
// the service can be asked whether there is, wherever the payment was made; what another channel
// asks of the customer came with the answer to the initiation.
func (m *Model) whyNoBank() string {
	if m.state.Phase == session.NotFound {
		return "The service has no such payment, so there is nothing to check."
	}
	if m.entry.MayBeCard() || m.entry.IsTransfer() {
		return m.entry.WhyNot(ledger.ToAuthenticate, m.Scope.Now())
	}
	return m.entry.WhyNot(ledger.ToAuthorise, m.Scope.Now())
}

// again returns what the payment asked for. Of one that was made elsewhere only the amount is known, once
// it was reported.
func (m *Model) again() *api.Initiation {
	in := m.entry.Sent
	if !m.ours && m.state.Said.HasAmount {
		in.Amount = m.state.Said.Amount
	}
	return &in
}

// Explain is the help page's text beyond the keys.
func (m *Model) Explain() []string {
	return []string{
		"One payment: its status as the service reports it, checked until it is final, with what was asked for and what has happened since.",
		"The status is checked immediately, then after 2 seconds and less and less often, at least every 30 seconds, until it is final or 15 minutes have passed (for a transfer, 10 minutes after its account expires). The last status stays on the screen when a check fails.",
		m.explain("SUCCESSFUL") + " " + m.explain("PENDING") + " " + m.explain("FAILED") +
			" A status that is not in the specification is shown unchanged and never treated as success.",
		"z shows all that is known of the payment where it has no room, and scrolls; the key says how many lines are left out.",
		present.AgainHelp,
		"Y copies the service's last answer as a line to paste: reference, amount, status in words, when it was checked, and where.",
		detail.CaseWords,
		"a asks about the bank check of any payment by card. paydesk does not know the channel of a looked-up payment, but the service does.",
		present.Mismatch + ": the service answered with a different amount, currency or reference, or contradicts its final status. It is never a success, it stays, and home lists it until you decide (d). A difference that equals the stated fees does not count.",
	}
}

// explain is a status word, what it means for this payment and what to do about it.
func (m *Model) explain(word string) string {
	means, action := api.ParseStatus(word).State.Meaning(m.subject().Circumstances(m.Scope.Now()))
	return word + ": " + means + " " + action
}

// subject returns what is known of the payment.
func (m *Model) subject() report.Subject {
	k := report.OfWatch(m.state, m.entry, m.ours, m.entry.History, m.Scope.Now())
	if k.Destination == (ledger.Destination{}) {
		k.Destination = m.here
	}
	return k
}

// caseSubject returns all that is known, not what the watch leaves out.
func (m *Model) caseSubject() report.Subject {
	k := m.subject()
	k.Live, k.Why = nil, m.entry.Why
	if k.At.IsZero() {
		k.At = m.state.AnsweredAt // when it was first seen
	}
	return k
}

// Command implements [ui.Commander]: status, which watches the payment as this screen does.
func (m *Model) Command() []string {
	return present.CommandOn(string(m.reference), "status", "--watch")
}

// Request is the check of the status, for curl.
func (m *Model) Request() (api.Call, bool) {
	return api.Call{Operation: api.OpTransaction, Reference: m.reference}, true
}
