package payment

import (
	"cmp"
	"time"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/screens/detail"
	"paydesk/screens/present"
	"paydesk/screens/report"
	"paydesk/ui"
)

// ticked arrives once a second until the account expires.
type ticked struct{}

// A Transfer is the screen that shows the account that a customer must pay into, with a countdown to its expiry.
type Transfer struct {
	step
	now time.Time // as of the last second: what comes in between moves no digit
}

// NewTransfer shows the account of a payment.
func NewTransfer(t *ui.Theme, d tracked, r api.Reference) *Transfer {
	m := &Transfer{step: step{payments: d, reference: r}}
	m.Model = detail.New(&ui.Body{Theme: t}, detail.Of{
		Title: "Transfer", Report: m.report, Commands: m.commands,
		Head: func(w int) []string {
			m.look()
			return m.stepper(w, present.StageAuthorise)
		},
		Help: []string{
			"The customer pays from their own bank into this account. The service detects the money; you need not press anything. d only records that they say they paid; a payment through a link is finalized after that.",
			"After it expires the account cannot be used. That alone does not mean that the payment failed: only the status does.",
		},
	})
	m.look()
	return m
}

// account returns where the customer pays; it is empty if the response had none.
func (m *Transfer) account() api.Transfer {
	return *cmp.Or(m.entry.Payment().Transfer, new(api.Transfer))
}

// Init implements [ui.Screen].
func (m *Transfer) Init(s ui.Scope) tea.Cmd {
	m.step.Init(s)
	m.now = s.Now()
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

// Update implements [ui.Screen].
func (m *Transfer) Update(msg tea.Msg) tea.Cmd {
	if _, ok := msg.(ticked); ok {
		m.now = m.Scope.Now()
		return m.tick()
	}
	return m.Model.Update(msg)
}

// commands are the keys. One that can do nothing now is not in the help bar.
func (m *Transfer) commands() ui.Commands {
	m.look()
	reference := m.CopyReference(m.reference)
	reference.Key = ui.Bind("Y", "copy ref.") // y copies the account, and the payment's own page copies its answer
	return append(ui.Commands{
		{Key: ui.Bind("enter", "status", "enter", "s"), On: true, Do: m.watch},
		{Key: ui.Bind("d", "customer paid"), On: true, Why: m.entry.WhyNot(ledger.ToAuthorise, m.Scope.Now()), Do: m.done},
		{Key: ui.Bind("y", "copy account"), On: true, Why: m.whyNotPay(), Do: func() tea.Cmd { return m.Copy("account number", m.account().AccountNumber.Line(0)) }},
	}, m.common(reference)...)
}

// done records that the customer is said to have paid, and goes to the payment, whose status says what was received
// and names the next step. At first the key does nothing, as [step.watch] does.
func (m *Transfer) done() tea.Cmd {
	watch := m.watch()
	if watch != nil {
		m.payments.CustomerDone(m.reference)
	}
	return watch
}

// whyNotPay returns why the number of the account is not to be copied, "" if the customer may pay into it.
func (m *Transfer) whyNotPay() string {
	switch c, brought := m.entry.Circumstances(m.Scope.Now()), present.Brought(m.entry.Received); {
	case m.entry.Status.State.Final():
		return "The payment is final: do not use this account any more."
	case m.entry.Mismatch.Undecided():
		return "Do not use this account now. " + present.MismatchFirst
	case c.InDoubt:
		return "It was decided that this is not our payment: do not use its account."
	case c.AccountExpired() && brought != "":
		return "Money " + brought + ". " + present.AskAboutMoney
	case c.AccountExpired():
		return "The account has expired; collect again for a new account."
	case !present.Copyable(m.account().AccountNumber.Line(0)):
		return "There is no account number that is safe to copy."
	}
	return ""
}

// report returns what the customer needs: the amount, and the account to pay it into; and what is known of the payment.
func (m *Transfer) report() report.Report {
	k, a := m.subject(), m.account()
	k.Now = m.now
	r, payable := m.about(k), k.MayPay()
	switch {
	case payable && present.Brought(k.Received) == "":
		r.Says = append(r.Says, report.Words{Text: m.advice()})
	case a.AccountNumber.Empty():
		if m.entry.Mismatch.IsZero() { // the customer cannot pay as the order says
			r.Says = nil
		}
		none := present.Problem{What: "The service returned no account to pay into.", Next: "Watch the payment (enter), and contact the provider."}
		r.Says = append([]report.Words{{Problem: none}}, r.Says...)
	}
	k.Account = &a
	expiry := k.ValidityFact()
	expiry.Strong = payable && a.Expires()
	if payable && a.Expires() {
		r.Ahead = ui.Stop{At: present.Clock(a.Expiration.Time.Local()), What: "the account expires"}
	}
	r.Sections = append(r.Sections,
		report.Section{Title: "Bank details", Facts: []report.Fact{ // in the order in which they are read out
			{Label: "Account", Value: cmp.Or(a.AccountNumber.Line(0), "-"), Strong: payable, Muted: !payable},
			{Label: "Bank", Value: a.Bank.Prose(0)}, {Label: "Name", Value: a.AccountName.Prose(0)}, expiry,
			{Label: "Note", Value: present.Quote(a.Note), Muted: !payable, Rank: 4},
		}},
		report.Section{Title: "Payment", Facts: m.facts()})
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

// Command implements [ui.Commander]: nothing is sent for a transfer, which is watched until it has arrived.
func (m *Transfer) Command() []string {
	return present.CommandOn(string(m.reference), "status", "--watch")
}
