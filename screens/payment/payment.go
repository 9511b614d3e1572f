// Package payment watches one payment until it settles.
//
// Without a reference the screen asks for one; with one it follows a [watch.Watch] of the
// payment while it is on the stack.
//
//   - What the service said last is shown until it says something else: an error of
//     requesting the status is a line of its own and never changes the state.
//   - A final status never goes back. What is reported after it is shown beside it and flagged.
//   - An amount that is not the one requested has to be acknowledged (R32).
//
// prompt.go asks for the reference, follow.go takes what the watch says, polling.go words how
// the requests stand.
package payment

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/flow"
	"paydesk/api/session"
	"paydesk/api/watch"
	"paydesk/ui"
)

// A Watcher watches payments: a [watch.Scheduler].
type Watcher interface {
	Watch(api.Reference) *watch.Watch
}

// Payments is what this console has under way.
type Payments interface {
	Find(api.Reference) (session.Entry, bool)
	Flow(api.Reference) flow.Flow
}

// Settings outlive the screen.
type Settings struct {
	Bell bool // ring when a payment settles
}

// A Model is the screen.
type Model struct {
	theme    *ui.Theme
	watcher  Watcher
	payments Payments
	set      *Settings
	scope    ui.Scope
	w, h     int
	notice   ui.Notice

	prompt    *prompt // nil when the screen was opened with a reference
	prompting bool

	reference api.Reference
	watch     *watch.Watch  // nil at the prompt
	state     watch.State   // as last told by the watch
	now       time.Time     // the last time that is known; zero before the first answer
	entry     session.Entry // of this console, when ours
	ours      bool
	happened  flow.Flow // to the payment, as far as is known here

	moved ui.Call[watch.State] // the next state
	timer ui.Call[time.Time]   // of the next change of the age
	today ui.Call[time.Time]   // what time it is, for a key that depends on it
}

var _ ui.Screen = (*Model)(nil)

// New watches a payment; without a reference it asks for one.
func New(t *ui.Theme, w Watcher, d Payments, set *Settings, r api.Reference) *Model {
	m := &Model{theme: t, watcher: w, payments: d, set: set, reference: r}
	if r == "" {
		m.prompt, m.prompting = newPrompt(t), true
	}
	return m
}

// Init implements [ui.Screen].
func (m *Model) Init(s ui.Scope) tea.Cmd {
	m.scope = s
	if m.prompting {
		return nil
	}
	return m.open(m.reference)
}

// Update implements [ui.Screen].
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	if a, ok := m.moved.Receive(msg); ok {
		return m.take(a)
	}
	if a, ok := m.timer.Receive(msg); ok {
		return m.onTimer(a)
	}
	if a, ok := m.today.Receive(msg); ok {
		return m.finalize(a.Value)
	}
	if m.prompting {
		return m.lookUp(msg)
	}
	if k, ok := msg.(tea.KeyPressMsg); ok {
		m.notice = ui.Notice{}
		return m.key(k)
	}
	return nil
}

// Resize implements [ui.Screen].
func (m *Model) Resize(w, h int) { m.w, m.h = max(w, 0), max(h, 0) }

// Title implements [ui.Screen].
func (m *Model) Title() string {
	if m.prompting {
		return "Look up a payment"
	}
	return "Payment"
}

// Typing implements [ui.Screen].
func (m *Model) Typing() bool { return m.prompting && m.prompt.form.Typing() }

// Notice is passing news.
func (m *Model) Notice() ui.Notice { return m.notice }

// WhyStay keeps the screen while the amount is wrong and nobody has said to have
// seen it (R32).
func (m *Model) WhyStay() string {
	if !m.prompting && m.state.Amount.Unacknowledged() {
		return "The amount is not what was asked for: press y to say that you have seen it."
	}
	return ""
}

// Back goes from a payment that was looked up to the prompt, with the reference
// still typed.
func (m *Model) Back() bool {
	if m.prompting || m.prompt == nil {
		return false
	}
	m.moved.Drop()
	m.timer.Drop()
	m.today.Drop()
	m.close()
	m.prompting, m.notice = true, ui.Notice{}
	return true
}

// say is a notice about something that was done or cannot be.
func (m *Model) say(tone ui.Tone, text string) tea.Cmd {
	m.notice = ui.Notice{Tone: tone, Text: text}
	return nil
}
