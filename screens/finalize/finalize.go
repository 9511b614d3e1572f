// Package finalize says that the customer's part of a payment is complete.
package finalize

import (
	"context"
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

// A Service is what finalizing asks of the client.
type Service interface {
	Finalize(context.Context, api.Reference) (api.Finalization, error)
}

// Payments is what this console has under way.
type Payments interface {
	Find(api.Reference) (session.Entry, bool)
	Flow(api.Reference) flow.Flow
}

// limit is how long finalizing may take.
const limit = 90 * time.Second

// settled comes once a stage has been shown for a moment.
type settled struct{}

// A stage of the screen.
type stage uint8

const (
	closed stage = iota // the step is not open; why says why
	asking              // the confirmation
	sending
	answered
	refused    // the service said no, or nothing was sent
	unresolved // nobody knows
)

// A Model is the screen.
type Model struct {
	theme     *ui.Theme
	service   Service
	payments  Payments
	place     present.Target
	reference api.Reference
	scope     ui.Scope
	keys      keyMap

	stage   stage
	entry   session.Entry
	known   bool // the payment was made from here
	why     string
	confirm *ui.Confirm
	sent    ui.Call[api.Finalization]
	answer  api.Finalization
	trouble present.Problem
	settled bool // the stage has been shown for a moment, so that enter is meant for it
	w, h    int
}

var _ ui.Screen = (*Model)(nil)

// New finalizes a payment, after asking.
func New(t *ui.Theme, s Service, d Payments, place present.Target, r api.Reference) *Model {
	return &Model{theme: t, service: s, payments: d, place: place, reference: r, keys: newKeyMap()}
}

// Init implements [ui.Screen].
func (m *Model) Init(s ui.Scope) tea.Cmd {
	m.scope = s
	return m.ask()
}

// ask opens the confirmation, when the step is open.
func (m *Model) ask() tea.Cmd {
	m.entry, m.known = m.payments.Find(m.reference)
	if m.why = m.payments.Flow(m.reference).WhyNot(flow.Finalize, time.Now()); m.why != "" {
		m.stage = closed
		return m.settle()
	}
	m.stage = asking
	m.confirm = ui.NewConfirm(m.theme, m.question())
	return m.confirm.Init(m.scope)
}

// settle keeps enter out for a moment.
func (m *Model) settle() tea.Cmd {
	m.settled = false
	return m.scope.After(nav.SettleDelay, settled{})
}

// question is what is asked before anything is sent. In live something is typed first: the
// amount, where it is known.
func (m *Model) question() ui.Question {
	q := ui.Question{
		Title: "Finalize " + string(m.reference) + "?",
		Lines: []string{
			"It tells the service that the customer's part is complete. The funds are then moved to the settlement account.",
			m.place.String(),
		},
		Yes: "Finalize", No: "Not yet", Closed: m.place.Closed,
	}
	if m.known {
		q.Lines = append([]string{m.entry.Requested.String() + m.by()}, q.Lines...)
	}
	switch {
	case m.place.Live() && m.known:
		q.Typed = m.entry.Requested.Major()
	case m.place.Live():
		q.Typed = "finalize"
	}
	return q
}

func (m *Model) by() string {
	if m.entry.Masked == "" {
		return " by " + api.Clean(m.entry.Channel).Line(0)
	}
	return " by " + m.entry.Masked
}

// Update implements [ui.Screen].
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	if a, ok := m.sent.Receive(msg); ok {
		return m.take(a)
	}
	if m.stage == asking {
		d, cmd := m.confirm.Update(msg)
		switch d {
		case ui.Accepted:
			return m.send()
		case ui.Declined:
			return nav.Pop
		}
		return cmd
	}
	switch msg := msg.(type) {
	case settled:
		m.settled = true
	case tea.KeyPressMsg:
		return m.press(msg)
	}
	return nil
}

func (m *Model) press(k tea.KeyPressMsg) tea.Cmd {
	switch {
	case m.stage == sending:
	case key.Matches(k, m.keys.watch) && m.settled:
		return nav.ReplaceWith(nav.Payment{Reference: m.reference})
	case key.Matches(k, m.keys.again) && m.stage == refused:
		return m.ask()
	}
	return nil
}

func (m *Model) send() tea.Cmd {
	m.stage = sending
	service, reference := m.service, m.reference
	return m.sent.Commit(m.scope, limit, func(ctx context.Context) (api.Finalization, error) {
		return service.Finalize(ctx, reference)
	})
}

// take says what became of it. Only a refusal, and what was never sent, may be asked
// again; nothing here is the status of the payment (R48).
func (m *Model) take(a ui.Result[api.Finalization]) tea.Cmd {
	switch {
	case a.Err == nil:
		m.stage, m.answer = answered, a.Value
	case api.OutcomeOf(a.Err) == api.OutcomeUnresolved:
		m.stage, m.trouble = unresolved, present.Error(a.Err, present.Sending)
		m.trouble.Done = "" // the line above says it
		m.trouble.Next = "Do not send it again. Ask for the status (enter); if that is not final after a minute, it may be finalized again by hand."
	default:
		m.stage, m.trouble = refused, present.Error(a.Err, present.Sending)
	}
	return m.settle()
}

// WhyStay says why the screen cannot be left now.
func (m *Model) WhyStay() string {
	if m.stage == sending {
		return "The payment is being finalized; its answer will come."
	}
	return ""
}

// Resize implements [ui.Screen].
func (m *Model) Resize(w, h int) { m.w, m.h = w, h }

// Title implements [ui.Screen].
func (m *Model) Title() string { return "Finalize" }

// Typing implements [ui.Screen].
func (m *Model) Typing() bool { return m.stage == asking && m.confirm.Typing() }

// Keys implements [ui.Screen].
func (m *Model) Keys() []key.Binding {
	switch m.stage {
	case asking:
		return m.confirm.Keys()
	case sending:
		return nil
	case refused:
		return []key.Binding{m.keys.watch, m.keys.again}
	}
	return []key.Binding{m.keys.watch}
}

// Explain is what the help page says besides the keys.
func (m *Model) Explain() []string {
	return []string{
		"The link flow needs it; a direct card payment settles without it.",
		"Its answer is not the final status of the payment: the status is.",
	}
}
