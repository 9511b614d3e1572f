package payment

import (
	"cmp"
	"time"

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

// transferred has the payments in progress in this console.
type transferred interface {
	Find(api.Reference) (session.Entry, bool)
	CustomerDone(api.Reference)
}

// ticked arrives once a second until the account expires.
type ticked struct{}

// A Transfer is the screen that shows the account that a customer must pay into, with a countdown to its expiry.
type Transfer struct {
	*detail.Model
	payments  transferred
	reference api.Reference
	entry     session.Entry
	now       time.Time
	since     time.Time // the screen was opened
}

// NewTransfer shows the account of a payment.
func NewTransfer(t *ui.Theme, d transferred, r api.Reference) *Transfer {
	m := &Transfer{payments: d, reference: r}
	m.Model = detail.New(&ui.Body{Theme: t}, detail.Of{
		Title: "Transfer", Head: m.stepper, Report: m.report, Commands: m.commands,
		Help: []string{
			"The customer pays from their own bank into this account. The service detects the money; you need not press anything. d only records that they say they paid; a payment through a link is finalized after that.",
			"After it expires the account cannot be used. That alone does not mean that the payment failed: only the status does.",
		},
	})
	m.entry, _ = d.Find(r)
	return m
}

// account returns where the customer pays; it is empty if the response had none.
func (m *Transfer) account() api.Transfer {
	if a := m.entry.Payment().Transfer; a != nil {
		return *a
	}
	return api.Transfer{}
}

// Init implements [ui.Screen].
func (m *Transfer) Init(s ui.Scope) tea.Cmd {
	m.Scope, m.now, m.since = s, s.Now(), s.Now()
	return m.tick()
}

// tick schedules the next second of the countdown.
func (m *Transfer) tick() tea.Cmd {
	next := present.NextSecond(m.account(), m.now)
	if next == 0 {
		return nil
	}
	return m.Scope.After(next, ticked{})
}

// circumstances returns what the meaning of the status depends on, as of the last second.
func (m *Transfer) circumstances() api.Circumstances { return m.entry.Circumstances(m.now) }

// Update implements [ui.Screen]. It looks at the payment each time: it may have been paid, also where there is no countdown.
func (m *Transfer) Update(msg tea.Msg) tea.Cmd {
	if e, still := m.payments.Find(m.reference); still {
		m.entry = e
	}
	if _, ok := msg.(ticked); ok {
		m.now = m.Scope.Now()
		return m.tick()
	}
	return m.Model.Update(msg)
}

// commands are the keys. One that can do nothing now is not in the help bar.
func (m *Transfer) commands() ui.Commands {
	reference := m.CopyReference(m.reference)
	reference.Key = ui.Bind("Y", "copy ref.")
	return ui.Commands{
		{Key: ui.Bind("enter", "status", "enter", "s"), On: true, Do: m.watch},
		{Key: ui.Bind("d", "customer paid"), On: true, Why: m.entry.WhyNot(ledger.ToAuthorise, m.now), Do: m.done},
		{Key: ui.Bind("y", "copy account"), On: true, Why: m.whyNotPay(), Do: func() tea.Cmd { return m.Copy("account number", m.account().AccountNumber.Line(0)) }},
		reference,
		{Key: ui.Bind("v", "raw"), On: true, Do: nav.To(nav.Raw{Reference: m.reference, Attempt: m.entry.ID})},
	}
}

// watch goes to the payment. At first the key does nothing, because it may have been meant for the
// screen before this one.
func (m *Transfer) watch() tea.Cmd {
	if m.Scope.Now().Sub(m.since) < nav.SettleDelay {
		return nil
	}
	return nav.ReplaceWith(nav.Payment{Reference: m.reference})
}

// done records that the customer is said to have paid, and goes to the payment, whose status says what was received
// and names the next step.
func (m *Transfer) done() tea.Cmd {
	m.payments.CustomerDone(m.reference)
	return nav.ReplaceWith(nav.Payment{Reference: m.reference})
}

// whyNotPay returns why the number of the account is not to be copied, "" if the customer may pay into it.
func (m *Transfer) whyNotPay() string {
	switch {
	case m.entry.Status.State.Final():
		return "The payment is final: do not use this account any more."
	case m.entry.Mismatch.Undecided():
		return "Do not use this account now. " + present.MismatchFirst
	case m.circumstances().InDoubt:
		return "It was decided that this is not our payment: do not use its account."
	case m.circumstances().AccountExpired() && m.entry.Received.Amount.Minor > 0:
		return "Money was received. " + present.AskAboutMoney
	case m.circumstances().AccountExpired():
		return "The account has expired; collect again for a new account."
	case !present.Copyable(m.account().AccountNumber.Line(0)):
		return "There is no account number that is safe to copy."
	}
	return ""
}

// stepper is above the account.
func (m *Transfer) stepper(w int) []string {
	return []string{present.Progress(m.Theme, w, m.entry.Attempt, present.StageAuthorise), ""}
}

// report returns what the customer needs: the amount, and the account to pay it into; and what is known of the payment.
func (m *Transfer) report() report.Report {
	a, r := m.account(), report.OfStep(m.entry, m.now)
	r.Remark = ""
	payable := m.circumstances().MayPay(m.entry.Status.State)
	switch {
	case payable:
		r.Says = append(r.Says, report.Words{Text: m.advice()})
	case a.AccountNumber.Empty():
		if m.entry.Mismatch.IsZero() { // the customer cannot pay as the order says
			r.Says = nil
		}
		none := present.Problem{What: "The service returned no account to pay into.", Next: "Watch the payment (enter), and contact the provider."}
		r.Says = append([]report.Words{{Problem: none}}, r.Says...)
	}
	number := report.Fact{Label: "Account", Value: cmp.Or(a.AccountNumber.Line(0), "-"), Strong: payable, Muted: !payable}
	received, odd := present.ReceivedWords(m.entry.Received, m.entry.Asked(), 60)
	paid := report.Fact{Label: "Received", Value: received}
	if odd {
		paid.Tone = ui.ToneAct
	}
	r.Sections = append(r.Sections,
		report.Section{Title: "Bank details", Facts: []report.Fact{
			number, m.expiry(), {Label: "Bank", Value: a.Bank.Prose(0)}, {Label: "Name", Value: a.AccountName.Prose(0)},
			{Label: "Note", Value: present.Quote(a.Note), Muted: !payable, Rank: 4}, {Label: "Mode", Value: a.Mode.Prose(0), Rank: 4},
		}},
		report.Section{Title: "Payment", Facts: []report.Fact{
			paid, {Label: "Reference", Value: m.reference.String(), Rank: 3}, {Label: "Fees", Value: present.Fees(m.entry.Asked()), Rank: 1},
			{Label: "Message", Value: present.Quote(m.entry.Payment().Message), Rank: 6},
		}})
	return r
}

// advice says what the customer does while they may pay.
func (m *Transfer) advice() string {
	words := present.PayInto(m.entry.Asked())
	if m.entry.Link != "" {
		words += " A payment through a link is finalized after that: press d when they say they have paid."
	}
	return words
}

// expiry shows no countdown once the payment is final, so that no customer hurries to pay.
func (m *Transfer) expiry() report.Fact {
	a := m.account()
	f := report.Fact{Label: "Expiry", Value: present.ExpiryWords(a, m.now)}
	switch {
	case m.entry.Status.State.Final():
		f.Value, f.Muted = "no longer valid", true
	case m.circumstances().InDoubt:
		f.Value, f.Muted = present.NotToBePaid, true
	case a.Expired(m.now):
		f.Tone = ui.ToneBad
	default:
		f.Strong = a.Expires()
	}
	return f
}

// Command implements [ui.Commander]: nothing is sent for a transfer, which is watched until it has arrived.
func (m *Transfer) Command() []string {
	return present.CommandOn(string(m.reference), "status", "--watch")
}
