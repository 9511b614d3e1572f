// Package finalize tells the service that the customer's part of a payment is complete. It asks
// first, sends once, and never shows the response as the status of the payment.
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

// A Service is the part of the client that finalizing uses.
type Service interface {
	Finalize(context.Context, api.Reference) (api.Finalization, error)
}

// Payments are those in progress in this console.
type Payments interface {
	Find(api.Reference) (session.Entry, bool)
	Flow(api.Reference) flow.Flow
}

// limit is how long to wait for the response.
const limit = 90 * time.Second

// settled arrives once a stage has been shown for [nav.SettleDelay].
type settled struct{}

// A stage of the screen.
type stage uint8

const (
	closed stage = iota // the payment cannot be finalized; why says why
	confirming
	sending
	answered
	refused    // rejected by the service, or not sent
	unresolved // it is not known whether it was finalized
)

type keyMap struct{ watch, again key.Binding }

func newKeyMap() keyMap {
	return keyMap{
		watch: key.NewBinding(key.WithKeys("enter"), key.WithHelp("enter", "watch")),
		again: key.NewBinding(key.WithKeys("r"), key.WithHelp("r", "try again")),
	}
}

// A Model is the screen.
type Model struct {
	theme     *ui.Theme
	service   Service
	payments  Payments
	target    present.Target
	reference api.Reference
	scope     ui.Scope
	keys      keyMap

	stage   stage
	entry   session.Entry
	known   bool // the payment was made in this console
	why     string
	confirm *ui.Confirm
	sent    ui.Call[api.Finalization]
	answer  api.Finalization
	problem present.Problem
	settled bool // enter is accepted
	w, h    int
}

var _ ui.Screen = (*Model)(nil)

// New finalizes a payment after a confirmation.
func New(t *ui.Theme, s Service, d Payments, target present.Target, r api.Reference) *Model {
	return &Model{theme: t, service: s, payments: d, target: target, reference: r, keys: newKeyMap()}
}

// Init implements [ui.Screen].
func (m *Model) Init(s ui.Scope) tea.Cmd {
	m.scope = s
	return m.confirmStep()
}

// confirmStep opens the confirmation if the payment can be finalized.
func (m *Model) confirmStep() tea.Cmd {
	m.entry, m.known = m.payments.Find(m.reference)
	if m.why = m.payments.Flow(m.reference).WhyNot(flow.Finalize, time.Now()); m.why != "" {
		m.stage = closed
		return m.delayEnter()
	}
	m.stage = confirming
	m.confirm = ui.NewConfirm(m.theme, m.question())
	return m.confirm.Init(m.scope)
}

// delayEnter ignores enter until the stage has been shown for a moment.
func (m *Model) delayEnter() tea.Cmd {
	m.settled = false
	return m.scope.After(nav.SettleDelay, settled{})
}

// question is the confirmation. In live the person types the amount, if it is known.
func (m *Model) question() ui.Question {
	q := ui.Question{
		Title: "Finalize " + string(m.reference) + "?",
		Lines: []string{
			"This tells the service that the customer's part is complete. The funds then move to the settlement account.",
			m.target.String(),
		},
		Yes: "Finalize", No: "Not yet", Closed: m.target.Closed,
	}
	if m.known {
		q.Lines = append([]string{m.entry.Requested.String() + m.paidBy()}, q.Lines...)
	}
	switch {
	case m.target.Live() && m.known:
		q.Typed = m.entry.Requested.Major()
	case m.target.Live():
		q.Typed = "finalize"
	}
	return q
}

func (m *Model) paidBy() string {
	if m.entry.Masked == "" {
		return " by " + present.Plain(m.entry.Channel)
	}
	return " by " + m.entry.Masked
}

// Update implements [ui.Screen].
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	if a, ok := m.sent.Receive(msg); ok {
		return m.onResponse(a)
	}
	if m.stage == confirming {
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
		return m.confirmStep()
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

// onResponse shows the result. Only a refusal, or a request that was not sent, may be repeated here.
func (m *Model) onResponse(a ui.Result[api.Finalization]) tea.Cmd {
	switch {
	case a.Err == nil:
		m.stage, m.answer = answered, a.Value
	case api.OutcomeOf(a.Err) == api.OutcomeUnresolved:
		m.stage, m.problem = unresolved, present.Error(a.Err, present.Sending)
		m.problem.Done = "" // the heading says it
		m.problem.Next = "Do not send it again. Check the status (enter). If it is not final after a minute, you may finalize it again."
	default:
		m.stage, m.problem = refused, present.Error(a.Err, present.Sending)
		if api.Definite(a.Err) { // nothing on this screen could be corrected
			m.problem.Next = "Check the payment's status (enter), or try again (r)."
		}
	}
	return m.delayEnter()
}

// WhyStay says why the screen cannot be left now.
func (m *Model) WhyStay() string {
	if m.stage == sending {
		return "The payment is being finalized. Please wait for the response."
	}
	return ""
}

// Resize implements [ui.Screen].
func (m *Model) Resize(w, h int) { m.w, m.h = w, h }

// Title implements [ui.Screen].
func (m *Model) Title() string { return "Finalize" }

// Typing implements [ui.Screen].
func (m *Model) Typing() bool { return m.stage == confirming && m.confirm.Typing() }

// Keys implements [ui.Screen].
func (m *Model) Keys() []key.Binding {
	switch m.stage {
	case confirming:
		return m.confirm.Keys()
	case sending:
		return nil
	case refused:
		return []key.Binding{m.keys.watch, m.keys.again}
	}
	return []key.Binding{m.keys.watch}
}

// Explain is the help page's text beyond the keys.
func (m *Model) Explain() []string {
	return []string{
		"Payments through a link must be finalized; a direct card payment settles without it.",
		"The response is not the payment's final status: check the status.",
	}
}
