// Package transfer shows the account that a customer must pay into, with a countdown to its expiry.
package transfer

import (
	"cmp"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/flow"
	"paydesk/api/session"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/ui"
)

// Payments are those in progress in this console.
type Payments interface {
	Find(api.Reference) (session.Entry, bool)
	CustomerDone(api.Reference)
}

// ticked arrives once a second until the account expires.
type ticked struct{}

// A Model is the screen.
type Model struct {
	ui.Body
	payments  Payments
	reference api.Reference
	entry     session.Entry
	account   api.Transfer // empty if the response had none
	now       time.Time
	since     time.Time // the screen was opened
}

// New shows the account of a payment.
func New(t *ui.Theme, d Payments, r api.Reference) *Model {
	m := &Model{Body: ui.Body{Theme: t}, payments: d, reference: r}
	m.entry, _ = d.Find(r)
	if a := m.entry.Payment().Transfer; a != nil {
		m.account = *a
	}
	return m
}

// Init implements [ui.Screen].
func (m *Model) Init(s ui.Scope) tea.Cmd {
	m.Scope, m.now, m.since = s, s.Now(), s.Now()
	return m.tick()
}

// tick schedules the next second of the countdown.
func (m *Model) tick() tea.Cmd {
	next := present.NextSecond(m.account, m.now)
	if next == 0 {
		return nil
	}
	return m.Scope.After(next, ticked{})
}

// circumstances returns what the meaning of the status depends on, as of the last second.
func (m *Model) circumstances() api.Circumstances { return m.entry.Circumstances(m.now) }

// mayPay reports whether the customer may still pay into the account.
func (m *Model) mayPay() bool { return m.circumstances().MayPay(m.entry.Status.State) }

// Update implements [ui.Screen].
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	if _, ok := msg.(ticked); ok {
		m.now = m.Scope.Now()
		if e, still := m.payments.Find(m.reference); still {
			m.entry = e // it may have been paid
		}
		return m.tick()
	}
	return m.Press(msg, m.commands())
}

// commands are the keys. One that can do nothing now is not in the help bar.
func (m *Model) commands() ui.Commands {
	account, reference := m.account.AccountNumber.Line(0), m.reference.String()
	return ui.Commands{
		{Key: ui.Bind("enter", "status", "enter", "s"), On: true, Do: m.watch},
		{Key: ui.Bind("d", "customer paid"), On: m.entry.Flow().CustomerMustAct(), Do: m.done},
		{Key: ui.Bind("y", "copy account"), On: m.mayPay() && present.Copyable(account), Do: m.copyAccount},
		{Key: ui.Bind("Y", "copy ref."), On: present.Copyable(reference), Do: func() tea.Cmd { return m.copy("reference", reference) }},
		{Key: ui.Bind("v", "raw"), On: true, Do: func() tea.Cmd { return nav.Open(nav.Raw{Reference: m.reference, Attempt: m.entry.ID}) }},
	}
}

// watch goes to the payment. At first the key does nothing, because it may have been meant for the
// screen before this one.
func (m *Model) watch() tea.Cmd {
	if m.Scope.Now().Sub(m.since) < nav.SettleDelay {
		return nil
	}
	return nav.ReplaceWith(nav.Payment{Reference: m.reference})
}

// done records that the customer is said to have paid, and goes to the payment, whose status says what was received
// and names the next step.
func (m *Model) done() tea.Cmd {
	if why := m.entry.Flow().WhyNot(flow.Authorise, m.now); why != "" {
		return m.Warn(why)
	}
	m.payments.CustomerDone(m.reference)
	return nav.ReplaceWith(nav.Payment{Reference: m.reference})
}

// copyAccount copies the number of an account that can still be used.
func (m *Model) copyAccount() tea.Cmd {
	switch {
	case m.entry.Status.State.Final():
		return m.Warn("The payment is final: do not use this account any more.")
	case m.entry.Mismatch.Undecided():
		return m.Warn("Do not use this account now. " + present.MismatchFirst)
	case m.circumstances().InDoubt:
		return m.Warn("It was decided that this is not our payment: do not use its account.")
	case m.circumstances().AccountExpired():
		return m.Warn("The account has expired; collect again for a new account.")
	}
	return m.copy("account number", m.account.AccountNumber.Line(0))
}

// copy copies a value if it has only characters that are safe wherever they are pasted.
func (m *Model) copy(name, value string) tea.Cmd {
	if !present.Copyable(value) {
		return m.Warn("There is no " + name + " that is safe to copy.")
	}
	return m.Copy(name, value)
}

// Title implements [ui.Screen].
func (m *Model) Title() string { return "Transfer" }

// Keys implements [ui.Screen].
func (m *Model) Keys() []key.Binding { return m.commands().Keys() }

// Explain is the help page's text beyond the keys.
func (m *Model) Explain() []string {
	return []string{
		"The customer pays from their own bank into this account. The service detects the money; you need not press anything. d only records that they say they paid; a payment through a link is finalized after that.",
		"After it expires the account cannot be used. That alone does not mean that the payment failed: only the status does.",
	}
}

const label = 12 // cells of the column of labels

// wide is the width from which what the customer needs stands beside what is known of the payment: a window of
// 110 columns.
const wide = 108

// View implements [ui.Screen].
func (m *Model) View() (string, *tea.Cursor) {
	t := m.Theme
	head := append(present.Rows(5, present.Progress(t, m.W, m.entry.Flow(), present.StageAuthorise)), present.Rows(9, "")...)
	if m.W >= wide {
		left := m.W / 2 // a reference is whole on either side
		head := present.FitHeight(m.H, append(head, m.warnings(m.W)...))
		room := m.H - len(head)
		account := present.FitHeight(room, m.toPay(left))
		return ui.Lines(m.W, m.H, append(head, t.Beside(left, room, account, present.FitHeight(room, m.about(m.W-left-4))))...), nil
	}
	lines := append(head, m.warnings(m.W)...)
	lines = append(lines, m.toPay(m.W)...)
	lines = append(append(lines, present.Rows(9, "")...), m.about(m.W)...)
	return ui.Lines(m.W, m.H, present.FitHeight(m.H, lines)...), nil
}

// warnings returns what stands above the account: that there is none, or that nobody should pay into it.
func (m *Model) warnings(w int) (lines []present.Line) {
	if m.account.AccountNumber.Empty() {
		none := present.Problem{What: "The service returned no account to pay into.", Next: "Watch the payment (enter), and contact the provider."}
		lines = append(present.Rows(0, none.Lines(m.Theme, w)...), present.Rows(9, "")...)
	}
	return append(lines, present.Rows(0, present.MismatchLines(m.Theme, m.entry.Mismatch, m.entry.Asked(), w)...)...)
}

// toPay returns what the customer needs: the amount, and the account to pay it into.
func (m *Model) toPay(w int) []present.Line {
	a, t, room := m.account, m.Theme, max(w-label, 1)
	number := t.Strong
	if !m.mayPay() {
		number = t.Muted
	}
	status := present.PaymentCell(m.entry.Status, m.entry.Mismatch, m.circumstances(), m.entry.Flow())
	lines := present.Rows(0, present.AmountAndStatus(t, m.entry.Asked(), "", status, w)...)
	lines = append(append(lines, present.Rows(9, "")...), present.Rows(7, t.Rule("Bank details", "", w))...)
	lines = append(lines, present.Rows(0,
		m.fact("Account", number.Render(cmp.Or(a.AccountNumber.Line(room), "-"))),
		m.fact("Bank", a.Bank.Prose(room)),
		m.fact("Name", a.AccountName.Prose(room)),
	)...)
	lines = append(lines, m.optional(4, "Note", a.Note.Prose(0), w)...)
	lines = append(lines, m.optional(4, "Mode", a.Mode.Prose(0), w)...)
	lines = append(lines, present.Rows(0, m.fact("Expiry", m.expiry()))...)
	return append(append(lines, present.Rows(9, "")...), present.Rows(2, m.advice(w)...)...)
}

// about returns what is known of the payment.
func (m *Model) about(w int) []present.Line {
	lines := present.Rows(7, m.Theme.Rule("Payment", "", w))
	if paid := present.Received(m.Theme, m.entry.Received, m.entry.Asked(), max(w-label, 1)); paid != "" {
		lines = append(lines, present.Rows(0, m.fact("Received", paid))...)
	}
	lines = append(lines, m.optional(3, "Reference", m.reference.String(), w)...)
	lines = append(lines, m.optional(1, "Fees", present.Fees(m.entry.Asked()), w)...)
	return append(lines, m.optional(6, "Message", present.Quote(m.entry.Payment().Message), w)...)
}

// advice says what the customer must do now. Without an account, the view has said what to do.
func (m *Model) advice(w int) []string {
	words := present.PayInto(m.entry.Asked())
	switch state := m.entry.Status.State; {
	case m.account.AccountNumber.Empty(), m.entry.Mismatch.Undecided(): // the mismatch says what to do
		return nil
	case state.Final(), m.circumstances().AccountExpired():
		means, action := state.Meaning(m.circumstances())
		words = means + " " + action
		if state.Final() {
			words = present.OwnWord(m.entry.Status) + ": " + words
		}
	case m.entry.Flow().IsLinked():
		words += " A payment through a link is finalized after that: press d when they say they have paid."
	}
	return m.Theme.MutedLines(words, w)
}

// expiry shows no countdown once the payment is final, so that nobody hurries to pay.
func (m *Model) expiry() string {
	if m.entry.Status.State.Final() {
		return m.Theme.Muted.Render("no longer to be paid into")
	}
	if m.circumstances().InDoubt {
		return m.Theme.Muted.Render(present.NotToBePaid)
	}
	return present.Expiry(m.Theme, m.account, m.now)
}

// optional is a fact of a rank that is left out where it is empty.
func (m *Model) optional(rank int, name, value string, w int) []present.Line {
	if value == "" {
		return nil
	}
	return present.Rows(rank, m.Theme.FactLines(name, value, label, w)...)
}

func (m *Model) fact(name, value string) string { return m.Theme.Fact(name, value, label) }
