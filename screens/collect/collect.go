// Package collect takes one payment, from the amount to its initiation.
//
// The stages stand in stage order, one file each: amount.go channels.go customer.go
// details.go review.go send.go alike.go unresolved.go. Editing stages are forms that keep
// what was typed whatever happens; only secrets are wiped, as early as they can be (R20).
// From review on nothing reads the forms: what was reviewed is a frozen
// [api.Initiation], and that is what is sent, once.
package collect

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/money"
	"paydesk/screens/present"
	"paydesk/ui"
)

// A Service is what collecting asks of the client.
type Service interface {
	ValidateChannels(context.Context, money.Amount, ...string) (api.Channels, error)
	Initiate(context.Context, api.Initiation) (api.Payment, error)
	InitiationBody(api.Initiation) string
}

// A TestCard is offered in the card step of the demo.
type TestCard struct {
	Name, Number, CVV string
	Month, Year       int
	Does              string
}

// Options of a collection.
type Options struct {
	Link  *api.Link // the link to pay through, nil for none
	Place present.Target
	Cards []TestCard
	// NoCards is set where cards are not typed: live, unless the profile allows it (R29).
	NoCards bool
}

// A stage is where the taking of a payment stands.
type stage uint8

const (
	stageAmount   stage = iota
	stageChannel        // of a channel
	stageCustomer       // the customer
	stageDetails
	reviewing
	sending
	mismatched // the answer names another amount than was asked (R32)
	unresolved // nobody knows whether the payment was made (R42)
)

// A Model is the screen.
type Model struct {
	theme   *ui.Theme
	service Service
	options Options
	scope   ui.Scope
	w, h    int
	stage   stage

	amount   *amountStep
	channel  channelStep
	customer *customerStep
	details  *detailsStep
	picker   *picker // the test cards while they are offered, else nil
	review   review
	sent     ui.Call[sent]
	outcome  outcome

	body    body
	trouble present.Problem // why the last sending did not come to a payment
	notice  string          // why a key did nothing
	wiping  bool            // every secret goes as soon as the answer is there
}

var _ ui.Screen = (*Model)(nil)

// New takes a payment.
func New(t *ui.Theme, s Service, o Options) *Model {
	m := &Model{theme: t, service: s, options: o}
	m.amount = newAmountStep(t, o.Link)
	m.channel.table, m.channel.noCards = channelTable(t), o.NoCards
	m.customer = newCustomerStep(t)
	m.details = newDetailsStep(t, o.Link != nil, m.needsReturnURL)
	return m
}

// Init implements [ui.Screen].
func (m *Model) Init(s ui.Scope) tea.Cmd {
	m.scope = s
	return nil
}

// Update implements [ui.Screen].
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	if _, ok := msg.(tea.KeyPressMsg); ok {
		m.notice = ""
	}
	cmd := m.step(msg)
	m.body.keep(m)
	return cmd
}

func (m *Model) step(msg tea.Msg) tea.Cmd {
	if a, ok := m.channel.call.Receive(msg); ok {
		m.channel.take(a)
		return nil
	}
	if a, ok := m.sent.Receive(msg); ok {
		cmd := m.onResponse(a)
		if m.wiping {
			m.Wipe()
		}
		return cmd
	}
	switch {
	case m.picker != nil:
		m.pick(msg)
		return nil
	case m.form() != nil:
		return m.fill(msg)
	}
	switch m.stage {
	case stageAmount:
		return m.passFixed(msg)
	case stageChannel:
		return m.choose(msg)
	case reviewing:
		return m.decide(msg)
	case mismatched:
		return m.acknowledge(msg)
	case unresolved:
		return m.unresolvedKeys(msg)
	}
	return nil
}

// form is the one of the stage, nil when it has none.
func (m *Model) form() *ui.Form {
	switch m.stage {
	case stageAmount:
		return m.amount.form
	case stageCustomer:
		return m.customer.form
	case stageDetails:
		return m.details.form
	}
	return nil
}

// fill hands a key to the form, and goes on once the form is in order.
func (m *Model) fill(msg tea.Msg) tea.Cmd {
	if m.offersCards() && pressed(msg, keyCards) {
		m.openPicker()
		return nil
	}
	done := m.form().Update(msg) == ui.Submitted
	m.amount.lay()
	if !done {
		return nil
	}
	m.trouble = present.Problem{}
	switch m.stage {
	case stageAmount:
		return m.toChannels()
	case stageCustomer:
		m.stage = stageDetails
	case stageDetails:
		return m.toReview()
	}
	return nil
}

// Back goes one stage back, with everything typed still there. Leaving the card
// wipes its CVV, leaving the screen every secret.
func (m *Model) Back() bool {
	m.notice, m.trouble = "", present.Problem{}
	switch m.stage {
	case stageChannel:
		m.channel.call.Drop()
		m.stage = stageAmount
	case stageCustomer:
		m.stage = stageChannel
	case stageDetails:
		if m.picker != nil {
			m.picker = nil
			break
		}
		m.details.cvv.Wipe()
		m.stage = stageCustomer
	case reviewing:
		m.review.wipe()
		m.stage = stageDetails
	default:
		m.wipe()
		return false
	}
	m.body.keep(m)
	return true
}

// Resume asks anew what could not be asked before something was looked at above: sending
// may have been unlocked there.
func (m *Model) Resume() tea.Cmd {
	if m.stage == stageChannel && m.channel.err != nil && m.options.Place.Closed() == "" {
		return m.askChannels()
	}
	return nil
}

// WhyStay is why the screen cannot be left now.
func (m *Model) WhyStay() string {
	switch {
	case m.sent.Pending():
		return "The payment is being sent; wait for its answer."
	case m.stage == mismatched:
		return "The payment was made, with another amount. Press a once you have read it."
	}
	return ""
}

// Wipe clears every secret and keeps the rest of what was typed: nobody is there (R78). A
// payment that is being sent is sent; its secrets go with the answer.
func (m *Model) Wipe() {
	if m.wiping = m.sent.Pending(); m.wiping {
		return
	}
	if m.stage == reviewing && m.review.card == "" {
		return // a transfer has no secret
	}
	m.wipe()
	if m.stage == reviewing {
		m.stage = stageDetails
		m.details.form.FocusOn(m.details.pan)
	}
	m.body.keep(m)
}

// wipe clears every secret the screen holds.
func (m *Model) wipe() {
	m.details.form.Wipe()
	m.review.wipe()
	m.picker = nil
}

// Resize implements [ui.Screen].
func (m *Model) Resize(w, h int) {
	m.w, m.h = w, h
	m.body.keep(m)
}

// Typing implements [ui.Screen].
func (m *Model) Typing() bool {
	switch {
	case m.picker != nil:
		return false
	case m.form() != nil:
		return m.form().Typing()
	}
	return m.stage == reviewing && m.review.confirm != nil && m.review.confirm.Typing()
}

// Title implements [ui.Screen].
func (m *Model) Title() string { return "Collect" }

// Notice is why the last key did nothing.
func (m *Model) Notice() ui.Notice { return ui.Notice{Tone: ui.ToneAct, Text: m.notice} }
