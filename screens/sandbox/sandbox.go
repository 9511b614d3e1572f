// Package sandbox is the console's screen over the embedded sandbox of the demo: what
// it holds is shown as it truly is, whatever it answers, and what the bank, the
// customer, time and trouble would do is done by a key. The payment on another screen
// turns by being asked about, as it would with the real service.
//
// The list of payments is the ground; a chooser lies over it until it is left: faults.go,
// switches.go, clock.go, pay.go, webhooks.go. acts.go is what a key does to the
// selected payment and why it does not; panel.go lays a panel out; entry.go asks for one
// line of text.
//
// The methods of the sandbox take a lock for a moment and do no I/O, so that Update may
// call them. What is shown is read anew with every key, when the screen is on top
// again, and once a second while a payment has not come to its end.
package sandbox

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"paydesk/api/sandbox"
	"paydesk/ui"
)

// A Sandbox is what can be done to the embedded sandbox.
type Sandbox interface {
	Payments() []sandbox.PaymentView
	Payment(reference string) (sandbox.PaymentView, bool)
	Approve(reference string) bool
	Reject(reference string) bool
	Settle(reference string) bool
	Expire(reference string) bool
	Decline(reference string) bool
	Pay(reference, amount string) error

	Ahead() time.Duration
	Forward(time.Duration)

	Faults() []sandbox.Fault
	Armed() []sandbox.ArmedFault
	Arm(operation, fault string, calls int) error
	ClearFaults()

	Switches() []sandbox.Switch
	SetSwitch(name, value string) error
	IsHostile() bool
	Hostile(on bool)

	Deliveries() []sandbox.Delivery
	Redeliver(id string) error
	// SetWebhook waits for a delivery to be cut off when the address is "".
	SetWebhook(address string) error

	Reset()
}

var _ Sandbox = (*sandbox.Sandbox)(nil)

// A Model is the screen.
type Model struct {
	theme   *ui.Theme
	sandbox Sandbox
	scope   ui.Scope
	list    *list
	overlay panel             // lies over the list; nil for none
	entry   *entry            // a line that is typed, over either; nil for none
	confirm *ui.Confirm       // of a reset; nil for none
	stopped ui.Call[struct{}] // the sending of webhooks
	notice  ui.Notice
	ticking bool // a tick is on its way
	w, h    int
}

var _ ui.Screen = (*Model)(nil)

// tick comes while something on the screen may change by itself.
type tick struct{}

// New steers a sandbox.
func New(t *ui.Theme, s Sandbox) *Model {
	m := &Model{theme: t, sandbox: s}
	m.list = newList(m)
	return m
}

// Init implements [ui.Screen].
func (m *Model) Init(s ui.Scope) tea.Cmd {
	m.scope = s
	return m.refresh()
}

// Resume is called when the screen is on top again.
func (m *Model) Resume() tea.Cmd {
	m.readActive()
	return nil
}

func (m *Model) readActive() {
	m.active().read()
	m.resizeTable()
}

// Update implements [ui.Screen].
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	var cmd tea.Cmd
	switch msg := msg.(type) {
	case tick:
		m.ticking = false
	case tea.KeyPressMsg:
		m.notice = ui.Notice{}
		cmd = m.press(msg)
	default:
		cmd = m.onMessage(msg)
	}
	return tea.Batch(cmd, m.refresh())
}

func (m *Model) press(k tea.KeyPressMsg) tea.Cmd {
	switch {
	case m.confirm != nil:
		return m.updateConfirm(k)
	case m.entry != nil:
		return m.updateEntry(k)
	}
	return m.active().press(k)
}

// onMessage takes a paste, a letter of the confirmation, or that sending was stopped.
func (m *Model) onMessage(msg tea.Msg) tea.Cmd {
	if _, ok := m.stopped.Receive(msg); ok {
		return m.notify(ui.ToneNone, "No webhook is sent any more.")
	}
	switch {
	case m.confirm != nil:
		return m.updateConfirm(msg)
	case m.entry != nil:
		return m.updateEntry(msg)
	}
	return nil
}

// refresh reads what is shown anew, and again in a second while it may change by itself.
func (m *Model) refresh() tea.Cmd {
	m.list.read()
	if m.overlay != nil {
		m.overlay.read()
	}
	m.resizeTable()
	if m.ticking || !m.list.mayChange() {
		return nil
	}
	m.ticking = true
	return m.scope.After(time.Second, tick{})
}

// Resize implements [ui.Screen].
func (m *Model) Resize(w, h int) {
	m.w, m.h = max(w, 0), max(h, 0)
	m.resizeTable()
}

// Title implements [ui.Screen].
func (m *Model) Title() string { return m.active().title() }

// Typing implements [ui.Screen].
func (m *Model) Typing() bool { return m.entry != nil }

// Notice is passing news.
func (m *Model) Notice() ui.Notice { return m.notice }

// Back closes what lies on top.
func (m *Model) Back() bool {
	switch {
	case m.confirm != nil:
		m.confirm = nil
	case m.entry != nil:
		m.entry = nil
	case m.overlay != nil:
		m.overlay = nil
	default:
		return false
	}
	m.notice = ui.Notice{}
	m.readActive()
	return true
}

// open lays a panel over the list.
func (m *Model) open(p panel) tea.Cmd {
	m.overlay = p
	return nil
}

// closeWith closes the panel and says what was done.
func (m *Model) closeWith(words string) tea.Cmd {
	m.overlay = nil
	return m.notify(ui.ToneNone, words)
}

// notify is a notice about something that was done or cannot be.
func (m *Model) notify(tone ui.Tone, words string) tea.Cmd {
	m.notice = ui.Notice{Tone: tone, Text: words}
	return nil
}
