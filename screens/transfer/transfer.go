// Package transfer shows the account a customer shall pay into, until it expires.
package transfer

import (
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/screens/desk"
	"paydesk/screens/nav"
	"paydesk/ui"
)

// Payments is what this console has under way.
type Payments interface {
	Of(api.Reference) (desk.Entry, bool)
	CustomerDone(api.Reference)
}

// ticked comes once a second while the account is usable.
type ticked struct{}

// A Model is the screen.
type Model struct {
	theme     *ui.Theme
	payments  Payments
	reference api.Reference
	scope     ui.Scope
	keys      keyMap
	entry     desk.Entry
	now       time.Time
	notice    string
	w, h      int
}

var _ ui.Screen = (*Model)(nil)

// New shows the account of a payment.
func New(t *ui.Theme, d Payments, r api.Reference) *Model {
	m := &Model{theme: t, payments: d, reference: r}
	m.entry, _ = d.Of(r)
	if m.entry.Payment.Transfer == nil {
		m.entry.Payment.Transfer = &api.Transfer{} // the answer held none: say so, show the rest
	}
	_, number := m.number()
	m.keys = newKeyMap(number)
	return m
}

// Init implements [ui.Screen].
func (m *Model) Init(s ui.Scope) tea.Cmd {
	m.scope, m.now = s, time.Now()
	return m.tick()
}

// tick asks for the next second, as long as there is something to count.
func (m *Model) tick() tea.Cmd {
	if m.left() <= 0 {
		return nil
	}
	return m.scope.After(time.Second, ticked{})
}

func (m *Model) expiration() api.Moment { return m.entry.Payment.Transfer.Expiration }

// left is how long the account is usable; 0 when that is over or not known.
func (m *Model) left() time.Duration {
	if m.expiration().Time.IsZero() {
		return 0
	}
	return max(0, m.expiration().Time.Sub(m.now))
}

// Update implements [ui.Screen].
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case ticked:
		m.now = time.Now()
		return m.tick()
	case tea.KeyPressMsg:
		return m.press(msg)
	}
	return nil
}

func (m *Model) press(k tea.KeyPressMsg) tea.Cmd {
	m.notice = ""
	switch {
	case key.Matches(k, m.keys.watch):
		return nav.Instead(nav.Payment{Reference: m.reference})
	case key.Matches(k, m.keys.done):
		m.payments.CustomerDone(m.reference)
		if e, _ := m.payments.Of(m.reference); e.Flow.NeedsFinalize() {
			return nav.Instead(nav.Finalize{Reference: m.reference})
		}
		return nav.Instead(nav.Payment{Reference: m.reference})
	case key.Matches(k, m.keys.account):
		number, _ := m.number()
		m.notice = "The account number was sent to your terminal's clipboard."
		return tea.SetClipboard(number)
	case key.Matches(k, m.keys.reference):
		m.notice = "The reference was sent to your terminal's clipboard."
		return tea.SetClipboard(string(m.reference))
	}
	return nil
}

// number is the account number, and whether it is one that may be copied: letters, digits and
// dashes alone.
func (m *Model) number() (string, bool) {
	n := m.entry.Payment.Transfer.AccountNumber.Line(0)
	a, err := api.ParseAlias(n)
	return n, err == nil && string(a) == n
}

// Resize implements [ui.Screen].
func (m *Model) Resize(w, h int) { m.w, m.h = w, h }

// Title implements [ui.Screen].
func (m *Model) Title() string { return "Transfer" }

// Keys implements [ui.Screen].
func (m *Model) Keys() []key.Binding {
	return []key.Binding{m.keys.watch, m.keys.account, m.keys.done, m.keys.reference}
}

// Typing implements [ui.Screen].
func (m *Model) Typing() bool { return false }

// Notice is the one line above the help bar.
func (m *Model) Notice() ui.Notice { return ui.Notice{Text: m.notice} }

// Explain is what the help page says besides the keys.
func (m *Model) Explain() []string {
	return []string{
		"The customer pays from their own bank into this account. The service sees the money arrive; nothing has to be pressed for that.",
		"After the time given, the account cannot be used. That alone does not make the payment fail: the status does.",
	}
}
