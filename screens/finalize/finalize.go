// Package finalize says that the customer's part of a payment is complete.
package finalize

import (
	"context"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/flow"
	"paydesk/screens/desk"
	"paydesk/screens/nav"
	"paydesk/screens/show"
	"paydesk/ui"
)

// A Service is what finalizing asks of the client.
type Service interface {
	Finalize(context.Context, api.Reference) (api.Finalization, error)
}

// Payments is what this console has under way.
type Payments interface {
	Of(api.Reference) (desk.Entry, bool)
}

// limit is how long finalizing may take.
const limit = 90 * time.Second

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
	place     show.Place
	reference api.Reference
	scope     ui.Scope
	keys      keyMap

	stage   stage
	entry   desk.Entry
	known   bool // the payment was made from here
	why     string
	confirm *ui.Confirm
	sent    ui.Call[api.Finalization]
	answer  api.Finalization
	trouble show.Trouble
	w, h    int
}

var _ ui.Screen = (*Model)(nil)

// New finalizes a payment, after asking.
func New(t *ui.Theme, s Service, d Payments, place show.Place, r api.Reference) *Model {
	return &Model{theme: t, service: s, payments: d, place: place, reference: r, keys: newKeyMap()}
}

// Init implements [ui.Screen].
func (m *Model) Init(s ui.Scope) tea.Cmd {
	m.scope = s
	return m.ask()
}

// ask opens the confirmation, when the step is open.
func (m *Model) ask() tea.Cmd {
	m.entry, m.known = m.payments.Of(m.reference)
	f := flow.Known()
	if m.known {
		f = m.entry.Flow
	}
	if m.why = f.Why(flow.Finalize, time.Now()); m.why != "" {
		m.stage = closed
		return nil
	}
	m.stage = asking
	q := ui.Question{
		Title: "Finalize " + string(m.reference) + "?",
		Lines: []string{
			"It tells the service that the customer's part is complete. The funds are then reconciled and moved to the settlement account.",
			m.place.String(),
		},
		Yes: "Finalize", No: "Not yet",
	}
	if m.known {
		q.Lines = append([]string{m.entry.Asked.String() + m.by()}, q.Lines...)
		if m.place.Live() {
			q.Typed = m.entry.Asked.Major()
		}
	}
	m.confirm = ui.NewConfirm(m.theme, q)
	return m.confirm.Init(m.scope)
}

func (m *Model) by() string {
	if m.entry.Masked == "" {
		return " by " + m.entry.Channel
	}
	return " by " + m.entry.Masked
}

// Update implements [ui.Screen].
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	if a, ok := m.sent.Take(msg); ok {
		m.take(a)
		return nil
	}
	if m.stage == asking {
		d, cmd := m.confirm.Update(msg)
		switch d {
		case ui.Accepted:
			return m.send()
		case ui.Declined:
			return nav.Leave
		}
		return cmd
	}
	k, ok := msg.(tea.KeyPressMsg)
	switch {
	case !ok || m.stage == sending:
	case key.Matches(k, m.keys.watch):
		return nav.Instead(nav.Payment{Reference: m.reference})
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

func (m *Model) take(a ui.Answer[api.Finalization]) {
	switch {
	case a.Err == nil:
		m.stage, m.answer = answered, a.Value
		return
	case show.Lost(a.Err):
		m.stage = unresolved
	default:
		m.stage = refused
	}
	m.trouble = show.Error(a.Err, show.Sending)
}

// Hold says why the screen cannot be left now.
func (m *Model) Hold() string {
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
