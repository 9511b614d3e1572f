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

// ticked arrives once a second until the account expires, settled once the screen has been open for
// [nav.SettleDelay].
type (
	ticked  struct{}
	settled struct{}
)

type keyMap struct{ watch, account, done, reference key.Binding }

func newKeyMap() keyMap {
	bind := func(k, help string) key.Binding {
		return key.NewBinding(key.WithKeys(k), key.WithHelp(k, help))
	}
	return keyMap{
		watch:     bind("enter", "watch"),
		account:   bind("c", "copy account"),
		done:      bind("d", "customer paid"),
		reference: bind("r", "copy reference"),
	}
}

// A Model is the screen.
type Model struct {
	theme     *ui.Theme
	payments  Payments
	reference api.Reference
	scope     ui.Scope
	keys      keyMap
	entry     session.Entry
	account   api.Transfer // empty if the response had none
	now       time.Time
	settled   bool
	notice    ui.Notice
	w, h      int
}

var _ ui.Screen = (*Model)(nil)

// New shows the account of a payment.
func New(t *ui.Theme, d Payments, r api.Reference) *Model {
	m := &Model{theme: t, payments: d, reference: r, keys: newKeyMap()}
	m.entry, _ = d.Find(r)
	if a := m.entry.Payment.Transfer; a != nil {
		m.account = *a
	}
	return m
}

// Init implements [ui.Screen].
func (m *Model) Init(s ui.Scope) tea.Cmd {
	m.scope, m.now = s, time.Now()
	return tea.Batch(s.After(nav.SettleDelay, settled{}), m.tick())
}

// tick schedules the next second of the countdown.
func (m *Model) tick() tea.Cmd {
	left := m.left()
	if left <= 0 {
		return nil
	}
	return m.scope.After((left-1)%time.Second+1, ticked{})
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
		m.now = time.Now()
		return m.tick()
	case settled:
		m.settled = true
	case tea.KeyPressMsg:
		m.notice = ui.Notice{}
		return m.press(msg)
	}
	return nil
}

func (m *Model) press(k tea.KeyPressMsg) tea.Cmd {
	switch {
	case key.Matches(k, m.keys.watch):
		if m.settled {
			return nav.ReplaceWith(nav.Payment{Reference: m.reference})
		}
	case key.Matches(k, m.keys.done):
		return m.done()
	case key.Matches(k, m.keys.account):
		return m.copy("account number", m.account.AccountNumber.Line(0))
	case key.Matches(k, m.keys.reference):
		return m.copy("reference", string(m.reference))
	}
	return nil
}

// done records that the customer has paid, and goes to the next step.
func (m *Model) done() tea.Cmd {
	if why := m.entry.Flow.WhyNot(flow.Authorise, m.now); why != "" {
		m.notice = ui.Notice{Tone: ui.ToneAct, Text: why}
		return nil
	}
	m.payments.CustomerDone(m.reference)
	if e, _ := m.payments.Find(m.reference); e.Flow.NeedsFinalize() {
		return nav.ReplaceWith(nav.Finalize{Reference: m.reference})
	}
	return nav.ReplaceWith(nav.Payment{Reference: m.reference})
}

func (m *Model) copy(name, value string) tea.Cmd {
	if !present.Copyable(value) {
		m.notice = ui.Notice{Tone: ui.ToneAct, Text: "There is no " + name + " that is safe to copy."}
		return nil
	}
	m.notice.Text = "The " + name + " was sent to your terminal's clipboard."
	return tea.SetClipboard(value)
}

// Resize implements [ui.Screen].
func (m *Model) Resize(w, h int) { m.w, m.h = w, h }

// Title implements [ui.Screen].
func (m *Model) Title() string { return "Transfer" }

// Keys implements [ui.Screen] and lists only the keys that do something now.
func (m *Model) Keys() []key.Binding {
	k := m.keys
	k.account.SetEnabled(present.Copyable(m.account.AccountNumber.Line(0)))
	k.done.SetEnabled(m.entry.Flow.CustomerMustAct())
	k.reference.SetEnabled(present.Copyable(string(m.reference)))
	return []key.Binding{k.watch, k.done, k.account, k.reference}
}

// Typing implements [ui.Screen].
func (m *Model) Typing() bool { return false }

// Notice is the line above the help bar.
func (m *Model) Notice() ui.Notice { return m.notice }

// Explain is the help page's text beyond the keys.
func (m *Model) Explain() []string {
	return []string{
		"The customer pays from their own bank into this account. The service detects the money; you need not press anything. d only records that they say they paid; a payment through a link is finalized after that.",
		"After it expires the account cannot be used. That alone does not mean that the payment failed: only the status does.",
	}
}
