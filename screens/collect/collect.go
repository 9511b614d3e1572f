// Package collect takes one payment, from the amount to its initiation.
//
// Each stage has a file: amount.go, channels.go, customer.go, details.go, review.go, and send.go,
// which also brings a refusal back to the fields that it names. view.go has what all stages show: the stepper above, and the JSON
// beside or below them.
//
// The forms keep their input across stages and after a refusal. Only secrets are wiped, as soon as
// they are no longer needed. The review freezes the payment as an [api.Initiation]; from then on
// nothing reads the forms, and exactly what was reviewed is sent, once.
package collect

import (
	"context"
	"strings"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/card"
	"paydesk/api/money"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/ui"
)

// A Service is the part of the client that collecting uses.
type Service interface {
	ValidateChannels(context.Context, money.Amount, ...string) (api.Channels, error)
	Initiate(context.Context, api.Initiation) (api.Payment, error)
}

// A TestCard can be picked in the card step of the demo.
type TestCard struct {
	Name, Number, CVV string
	Month, Year       int
	Does              string
}

// Doubts is the part of the gate that stops a card which may be a real one.
type Doubts interface {
	DoubtsCard(card.PAN) bool
	ConfirmCard(card.PAN)
}

// Options of a collection. Sample, of [nav.Collect], names one of Cards; "" where no sandbox is open.
type Options struct {
	nav.Collect
	Last   api.Customer // of the last payment, zero for none
	Target present.Target
	Cards  []TestCard
	// Doubts stops cards that may be real ones in test; nil where no card is doubted.
	Doubts Doubts
	// NoCards disables card entry: in live, unless the profile allows it.
	NoCards bool
	// SendReference sends our own reference with the payment, as the profile has it.
	SendReference bool
	// Preview returns the JSON that would be sent, with the card masked.
	Preview func(api.Initiation) string
}

// A stage is a step of taking a payment. The first five have the values of the steps that they are
// on the stepper.
type stage present.Stage

const (
	stageAmount   = stage(present.StageAmount)
	stageChannel  = stage(present.StageChannel)
	stageCustomer = stage(present.StageCustomer)
	stageDetails  = stage(present.StageCard)
	reviewing     = stage(present.StageReview)
)

const (
	sending    stage = reviewing + 1 + iota
	unresolved       // it is not known whether the payment was made, and it has no attempt
)

// A Model is the screen.
type Model struct {
	ui.Body
	service Service
	options Options
	stage   stage

	amount   *amountStep
	channel  channelStep
	customer *customerStep
	details  *detailsStep
	forms    map[stage]*ui.Form // of the stages that have one
	review   review
	sent     ui.Call[api.Payment]

	attempted bool // it was sent before, and rejected

	problem present.Problem // why the last attempt to send did not make a payment
	wiping  bool            // wipe every secret once the response is there
}

// New takes a payment.
func New(t *ui.Theme, s Service, o Options) *Model {
	if o.Sample != "" {
		o.Again = samplePayment(o)
	}
	if o.Again != nil && o.Link == nil {
		o.Link = linkAgain(*o.Again)
	}
	m := &Model{Body: ui.Body{Theme: t}, service: s, options: o}
	m.amount = newAmountStep(t, o.Link)
	m.channel.list, m.channel.noCards = m.newChannels(), o.NoCards
	m.customer = newCustomerStep(t)
	m.details = newDetailsStep(t, o.Link != nil, m.lacksReturnURL, func() time.Time { return m.Scope.Now() })
	m.forms = map[stage]*ui.Form{stageAmount: m.amount.form, stageCustomer: m.customer.form, stageDetails: m.details.form}
	m.stage = m.first()
	if o.Again != nil {
		m.fillAgain(*o.Again)
	}
	return m
}

// first is the stage that it begins with: where a link fixes the amount there is none to enter.
func (m *Model) first() stage {
	if m.amount.form == nil {
		return stageChannel
	}
	return stageAmount
}

// Update implements [ui.Screen].
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	if _, ok := msg.(tea.KeyPressMsg); ok {
		m.News = ui.Notice{}
	}
	return m.part().update(msg)
}

// A part handles the input of a stage, lists its keys and draws it.
type part struct {
	update func(tea.Msg) tea.Cmd
	keys   func() []key.Binding
	view   func(w, h int) (string, *tea.Cursor)
}

// part is the part of the current stage.
func (m *Model) part() part {
	if m.forms[m.stage] != nil {
		return part{m.updateForm, m.formKeys, m.viewForm}
	}
	return map[stage]part{
		stageChannel: {m.pressChannel, m.channelKeys, m.viewChannels},
		reviewing:    {m.updateReview, m.reviewKeys, m.viewReview},
		sending:      {deaf, none, m.viewSending},
		unresolved:   {deaf, none, func(w, h int) (string, *tea.Cursor) { return spaced(w, h, m.problem.Lines(m.Theme, w)) }},
	}[m.stage]
}

// deaf is a stage that no key changes.
func deaf(tea.Msg) tea.Cmd { return nil }

// updateForm passes a key to the form, and moves to the next stage once it is submitted.
func (m *Model) updateForm(msg tea.Msg) tea.Cmd {
	switch {
	case m.offersCards() && pressed(msg, keyCards):
		return m.openPicker()
	case m.offersCustomers() && pressed(msg, keyCustomers):
		return m.fillCustomer()
	}
	done := m.forms[m.stage].Update(msg) == ui.Submitted
	m.amount.syncFields()
	if !done {
		if m.problem.AtFields && !m.forms[m.stage].Rejected() {
			m.problem = present.Problem{}
		}
		return nil
	}
	m.problem = present.Problem{}
	switch m.stage {
	case stageAmount:
		return m.toChannels()
	case stageCustomer:
		m.stage = stageDetails
		m.details.form.FocusFirst() // a card is typed without looking
		return m.offerSample()
	case stageDetails:
		return m.toReview()
	}
	return nil
}

// Back goes one stage back and keeps the input, except that leaving the card wipes its CVV, and
// leaving the screen wipes every secret.
func (m *Model) Back() bool {
	m.News, m.problem = ui.Notice{}, present.Problem{}
	switch m.stage {
	case m.first(), sending, unresolved:
		m.wipe()
		return false
	case stageChannel:
		m.channel.call.Drop()
		m.stage = stageAmount
	case stageCustomer:
		m.stage = stageChannel
	case stageDetails:
		m.details.cvv.Wipe()
		m.stage = stageCustomer
	case reviewing:
		m.review.wipe()
		m.stage = stageDetails
	}
	return true
}

// Draft implements [ui.Drafter]. The card is wiped by then.
func (m *Model) Draft() bool {
	if m.stage != m.first() || m.options.Sample != "" {
		return false
	}
	for _, f := range m.forms {
		if f != nil && f.HasText() {
			return true
		}
	}
	return false
}

// Resume requests the channels again after an error: the person may have unlocked sending on the
// screen above.
func (m *Model) Resume() tea.Cmd {
	if m.stage == stageChannel && m.channel.err != nil && m.options.Target.Closed() == "" {
		return m.requestChannels()
	}
	return nil
}

// WhyStay says why the screen cannot be left now.
func (m *Model) WhyStay() string {
	if m.sent.Pending() {
		return "The payment is being sent. Please wait for the response."
	}
	return ""
}

// Wipe clears every secret and keeps the rest of the input, because the person has left the keyboard or the screen.
// While a payment is being sent it waits for the response.
func (m *Model) Wipe() {
	if m.wiping = m.sent.Pending(); m.wiping {
		return
	}
	if m.stage == reviewing && m.review.card == "" {
		return // no secret without a card
	}
	m.wipe()
	if m.stage == reviewing {
		m.stage = stageDetails
	}
	m.details.form.FocusFirst() // the card must be typed again
}

// wipe clears every secret the screen holds.
func (m *Model) wipe() {
	m.details.form.Wipe()
	m.review.wipe()
}

// Typing implements [ui.Screen].
func (m *Model) Typing() bool {
	if m.forms[m.stage] != nil {
		return m.forms[m.stage].Typing()
	}
	return m.stage == reviewing && m.review.confirm != nil && m.review.confirm.Typing()
}

// Title implements [ui.Screen].
func (m *Model) Title() string { return "Collect" }

// Init implements [ui.Screen]. A payment whose amount is known begins at its channel: one of a link that fixes it, and one that is
// collected again, whose customer looks for another way to pay.
func (m *Model) Init(s ui.Scope) tea.Cmd {
	m.Scope, m.channel.list.Scope = s, s
	switch again := m.options.Again; {
	case again == nil && m.amount.form != nil, m.amount.value().Minor <= 0:
		return nil
	case m.options.Sample != "":
		m.Notify("A made-up payment is filled in. Choose Card.")
	case again != nil:
		m.Notify(filledIn(*again))
	}
	return m.toChannels()
}

// linkAgain is the link of a payment that is collected again. Its type is not known: the amount can
// be changed, and the service checks it.
func linkAgain(in api.Initiation) *api.Link {
	if in.Link == "" {
		return nil
	}
	return &api.Link{Alias: in.Link, AmountType: api.Dynamic, Amount: money.Amount{Currency: in.Amount.Currency}}
}

// fillAgain fills in what another payment asked for. The card is typed: nothing of the other's was
// kept.
func (m *Model) fillAgain(in api.Initiation) {
	if !in.Amount.Currency.IsZero() {
		m.amount.choice.Set(in.Amount.Currency)
	}
	if in.Amount.Minor > 0 {
		m.amount.entry.Set(in.Amount)
	}
	m.amount.syncFields()
	m.customer.set(in.Customer)
	d := m.details
	d.narration.SetValue(in.Narration)
	d.returnURL.SetValue(in.ReturnURL)
	if in.Email != in.Customer.Email {
		d.email.SetValue(in.Email)
	}
	d.meta.SetValue(strings.Join(typed(in.MetaData), ", "))
}

// samplePayment is a made-up payment for the sample. No two cards have the same amount, so that they do not look like
// one payment sent twice. A link has an amount of its own.
func samplePayment(o Options) *api.Initiation {
	in := &api.Initiation{Customer: sampleCustomer, ReturnURL: sampleReturnURL}
	if o.Link != nil {
		return in
	}
	at := max(o.sample(), 0)
	gbp, _ := money.ParseCurrency("GBP") // which is one
	in.Amount = money.Amount{Minor: 1250 + 500*int64(at), Currency: gbp}
	return in
}

// filledIn says what is known of a payment that is collected again.
func filledIn(in api.Initiation) string {
	what := []string{"amount"}
	if in.Customer != (api.Customer{}) {
		what = append(what, "customer")
	}
	if in.Link != "" {
		what = append(what, "link")
	}
	return present.Sentence("filled in from the earlier payment: " + strings.Join(what, ", "))
}
