// Package transfer shows the account that a customer must pay into, with a countdown to its expiry.
package transfer

import (
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

var _ ui.Screen = (*Model)(nil)

// New shows the account of a payment.
func New(t *ui.Theme, d Payments, r api.Reference) *Model {
	m := &Model{Body: ui.Body{Theme: t}, payments: d, reference: r}
	m.entry, _ = d.Find(r)
	if a := m.entry.Payment.Transfer; a != nil {
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
	left := m.left()
	if left <= 0 {
		return nil
	}
	return m.Scope.After((left-1)%time.Second+1, ticked{})
}

// left is the time until the account expires; 0 once it has, or if that is not known. A time without
// a zone says nothing about it.
func (m *Model) left() time.Duration {
	e := m.account.Expiration
	if e.Time.IsZero() || !e.Zoned {
		return 0
	}
	return max(0, e.Time.Sub(m.now))
}

// expired reports whether the account is known to have expired.
func (m *Model) expired() bool {
	e := m.account.Expiration
	return !e.Time.IsZero() && e.Zoned && m.left() <= 0
}

// Update implements [ui.Screen].
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case ticked:
		m.now = m.Scope.Now()
		return m.tick()
	case tea.KeyPressMsg:
		m.News = ui.Notice{}
		return m.commands().Press(msg)
	}
	return nil
}

// commands are the keys.
func (m *Model) commands() ui.Commands {
	account, reference := m.account.AccountNumber.Line(0), string(m.reference)
	return ui.Commands{
		{Key: ui.Bind("enter", "watch"), On: true, Do: m.watch},
		{Key: ui.Bind("d", "customer paid"), On: m.entry.Flow.CustomerMustAct(), Do: m.done},
		{Key: ui.Bind("c", "copy account"), On: present.Copyable(account), Do: func() tea.Cmd { return m.copy("account number", account) }},
		{Key: ui.Bind("r", "copy reference"), On: present.Copyable(reference), Do: func() tea.Cmd { return m.copy("reference", reference) }},
	}
}

func (m *Model) watch() tea.Cmd {
	if m.Scope.Now().Sub(m.since) < nav.SettleDelay {
		return nil
	}
	return nav.ReplaceWith(nav.Payment{Reference: m.reference})
}

// done records that the customer has paid, and goes to the next step.
func (m *Model) done() tea.Cmd {
	if why := m.entry.Flow.WhyNot(flow.Authorise, m.now); why != "" {
		return m.Warn(why)
	}
	m.payments.CustomerDone(m.reference)
	e, _ := m.payments.Find(m.reference)
	return nav.ReplaceWith(nav.Next(e.Flow, m.reference))
}

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
