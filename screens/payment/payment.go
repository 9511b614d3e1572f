// Package payment watches one payment until it settles.
//
// Without a reference the screen asks for one; with one it asks the service for
// the status, at once and then ever more rarely (R47), while it is on the stack.
//
//   - What the service said last is shown until it says something else: an error of
//     asking is a line of its own and never changes the state.
//   - A final status never goes back. What is told after it is shown beside it and flagged.
//   - An amount that is not the one asked for has to be acknowledged (R32).
//
// prompt.go asks for the reference, pace.go says how long to wait, watch.go asks
// and takes the answers, history.go keeps what was seen, amount.go compares amounts.
package payment

import (
	"context"
	"math/rand/v2"
	"time"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/flow"
	"paydesk/api/session"
	"paydesk/ui"
)

// A Service is what watching asks of the client.
type Service interface {
	Transaction(context.Context, api.Reference) (api.Transaction, error)
}

// Payments is what this console has under way.
type Payments interface {
	Find(api.Reference) (session.Entry, bool)
	Flow(api.Reference) flow.Flow
}

// Settings outlive the screen.
type Settings struct {
	Bell bool // ring when a payment settles
	// Jitter is the random part of a wait, in [0, d); nil takes the usual one. A test
	// that compares screens sets it.
	Jitter func(d time.Duration) time.Duration
}

// A Model is the screen.
type Model struct {
	theme    *ui.Theme
	service  Service
	payments Payments
	set      *Settings
	scope    ui.Scope
	w, h     int
	notice   ui.Notice

	prompt    *prompt // nil when the screen was opened with a reference
	prompting bool

	reference api.Reference
	entry     session.Entry // of this console, when mine
	mine      bool
	happened  flow.Flow // to the payment, as far as is known here
	watch     watch
	history   history
	amount    amount
	named     api.Text // the reference the last answer named, when it is another

	asked ui.Call[told]
	wake  ui.Call[time.Time] // the one timer: the next question, or a change of the age
	today ui.Call[time.Time] // what time it is, for a key that depends on it
}

var _ ui.Screen = (*Model)(nil)

// New watches a payment; without a reference it asks for one.
func New(t *ui.Theme, s Service, d Payments, set *Settings, r api.Reference) *Model {
	m := &Model{theme: t, service: s, payments: d, set: set, reference: r}
	if m.watch.pace.jitter = set.Jitter; set.Jitter == nil {
		m.watch.pace.jitter = rand.N[time.Duration]
	}
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
	if a, ok := m.asked.Take(msg); ok {
		return m.answered(a)
	}
	if a, ok := m.wake.Take(msg); ok {
		if a.Err != nil { // the screen is being left
			return nil
		}
		return m.woke(a.Value)
	}
	if a, ok := m.today.Take(msg); ok {
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

// Hold keeps the screen while the amount is wrong and nobody has said to have
// seen it (R32).
func (m *Model) Hold() string {
	if !m.prompting && m.amount.open() {
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
	m.asked.Drop()
	m.wake.Drop()
	m.today.Drop()
	m.prompting, m.notice = true, ui.Notice{}
	return true
}

// say is a notice about something that was done or cannot be.
func (m *Model) say(tone ui.Tone, text string) tea.Cmd {
	m.notice = ui.Notice{Tone: tone, Text: text}
	return nil
}
