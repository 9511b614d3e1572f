// Package link asks for a payment link and creates it.
package newlink

import (
	"context"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/money"
	"paydesk/screens/present"
	"paydesk/ui"
)

// A Creator creates links; LinkBody is the JSON it would send.
type Creator interface {
	CreateLink(context.Context, api.LinkDraft) (api.Link, error)
	LinkBody(api.LinkDraft) string
}

// limit is how long the creation may take.
const limit = 90 * time.Second

// letGo is how long no submitting key may have come before one can send another
// time: longer than keyboards wait before a key that is held repeats.
const letGo = time.Second

// A stage of the screen.
type stage uint8

const (
	editing    stage = iota
	confirming       // in live only: it makes something a customer can pay
	sending
	unresolved // nobody knows whether the link was created
	mismatched // it was, in another environment than the profile's
)

// A Model is the screen.
type Model struct {
	theme   *ui.Theme
	creator Creator
	place   present.Target
	scope   ui.Scope
	stage   stage

	form        *ui.Form
	name        *ui.TextField
	description *ui.TextField
	uses        *ui.ChoiceField
	kind        *ui.ChoiceField
	currency    *ui.ChoiceField
	code        *ui.TextField
	amount      *ui.AmountField
	confirm     *ui.Confirm

	draft   api.LinkDraft // what was sent
	sent    ui.Call[api.Link]
	made    api.Link // the link of another environment
	trouble present.Problem
	pressed time.Time // when the key that sent may last have been held down; zero once it was let go
	notice  string    // why a key did nothing
	body    string    // the JSON that would be sent
	w, h    int
}

var _ ui.Screen = (*Model)(nil)

// other lets a currency be typed that is not offered.
const other = "other"

// New asks for a link.
func New(t *ui.Theme, c Creator, place present.Target) *Model {
	m := &Model{theme: t, creator: c, place: place}
	m.name = ui.NewTextField(t, "Name", "what the customer sees; no two links have the same", ui.Required(), ui.Limit(100))
	m.description = ui.NewTextField(t, "Description", "what it is for", ui.Required(), ui.Limit(200))
	m.uses = ui.NewChoiceField(t, "Can be paid", "one-time links are used up by the first payment", "once", "again and again")
	m.kind = ui.NewChoiceField(t, "Amount is", "fixed here, or typed by the customer", "fixed", "chosen by the customer")
	m.currency = ui.NewChoiceField(t, "Currency", "asked once, sent in both places that need it", "NGN", "GBP", "CAD", other)
	m.code = ui.NewTextField(t, "Currency code", "three letters, such as USD", ui.Required(), ui.Limit(3), ui.Checked(unknown))
	m.amount = ui.NewAmountField(t, "Amount", "in major units, such as 12.50", m.chosen)
	m.form = ui.NewForm(t, m.fields()...)
	m.form.SubmitLabel("create")
	m.rewrite()
	return m
}

func unknown(code string) string {
	if _, err := money.ParseCurrency(code); err != nil {
		return present.Sentence(err.Error())
	}
	return ""
}

// fields are those that the choices so far ask for.
func (m *Model) fields() []ui.Field {
	f := []ui.Field{m.name, m.description, m.uses, m.kind, m.currency}
	if m.currency.Value() == other {
		f = append(f, m.code)
	}
	if m.dynamic() {
		return f
	}
	return append(f, m.amount)
}

func (m *Model) dynamic() bool { return m.kind.Chosen() == int(api.Dynamic) }

// chosen is the currency, zero while it is unknown.
func (m *Model) chosen() money.Currency {
	code := m.currency.Value()
	if code == other {
		code = m.code.Value()
	}
	c, _ := money.ParseCurrency(code)
	return c
}

// drafted is the link as the form says it. The amount of a link whose amount the
// customer chooses is 0, since the request has no place for none (2.8).
func (m *Model) drafted() api.LinkDraft {
	d := api.LinkDraft{
		Name: m.name.Value(), Description: m.description.Value(),
		Type: api.LinkType(m.uses.Chosen()), AmountType: api.AmountType(m.kind.Chosen()),
		Amount: money.Amount{Currency: m.chosen()},
	}
	if a, err := m.amount.Value(); err == nil && !m.dynamic() {
		d.Amount = a
	}
	return d
}

// Init implements [ui.Screen].
func (m *Model) Init(s ui.Scope) tea.Cmd {
	m.scope = s
	return nil
}

// Update implements [ui.Screen].
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	if a, ok := m.sent.Receive(msg); ok {
		return m.answered(a)
	}
	if k, ok := msg.(tea.KeyPressMsg); ok {
		m.notice = ""
		if m.held(k) {
			return nil
		}
	}
	switch m.stage {
	case editing:
		return m.edit(msg)
	case confirming:
		d, cmd := m.confirm.Update(msg)
		switch d {
		case ui.Accepted:
			return m.send()
		case ui.Declined:
			m.stage = editing
		}
		return cmd
	}
	return nil
}

// held reports whether a key may still be held down from what it sent last: where that
// was refused, each repeat of it would send again (R43). Any other key, or a second
// without one, says that it was let go.
func (m *Model) held(k tea.KeyPressMsg) bool {
	switch {
	case m.pressed.IsZero():
		return false
	case m.stage != editing:
		m.pressed = time.Now()
		return false
	case !ui.Submits(k) || time.Since(m.pressed) >= letGo:
		m.pressed = time.Time{}
		return false
	}
	m.pressed = time.Now()
	m.notice = "That came too soon after the last sending: let go of the key, and press it again."
	return true
}

func (m *Model) edit(msg tea.Msg) tea.Cmd {
	verdict := m.form.Update(msg)
	m.form.SetFields(m.fields()...)
	m.rewrite()
	if verdict != ui.Submitted {
		return nil
	}
	m.draft, m.trouble = m.drafted(), present.Problem{}
	if !m.place.Live() {
		return m.send()
	}
	m.stage = confirming
	q := ui.Question{
		Title: "Create the link \"" + m.draft.Name + "\"?",
		Lines: []string{"Anybody who has its address can pay real money through it.", m.place.String()},
		Yes:   "Create", No: "Go back", Typed: m.draft.Amount.Major(), Closed: m.place.Closed,
	}
	if m.draft.AmountType == api.Dynamic {
		q.Typed = m.draft.Amount.Currency.Code()
	}
	m.confirm = ui.NewConfirm(m.theme, q)
	return m.confirm.Init(m.scope)
}

// rewrite shows what would be sent now.
func (m *Model) rewrite() { m.body = m.creator.LinkBody(m.drafted()) }

func (m *Model) send() tea.Cmd {
	m.stage, m.pressed = sending, time.Now()
	creator, draft := m.creator, m.draft
	return m.sent.Commit(m.scope, limit, func(ctx context.Context) (api.Link, error) {
		return creator.CreateLink(ctx, draft)
	})
}

// WhyStay says why the screen cannot be left now.
func (m *Model) WhyStay() string {
	if m.stage == sending {
		return "The link is being created; its answer will come."
	}
	return ""
}

// Back goes back to the form.
func (m *Model) Back() bool {
	if m.stage != confirming {
		return false
	}
	m.stage = editing
	return true
}

// Notice is why the last key did nothing.
func (m *Model) Notice() ui.Notice { return ui.Notice{Tone: ui.ToneAct, Text: m.notice} }

// Resize implements [ui.Screen].
func (m *Model) Resize(w, h int) { m.w, m.h = w, h }

// Title implements [ui.Screen].
func (m *Model) Title() string { return "New link" }

// Typing implements [ui.Screen].
func (m *Model) Typing() bool {
	return m.stage == editing && m.form.Typing() || m.stage == confirming && m.confirm.Typing()
}

// Keys implements [ui.Screen].
func (m *Model) Keys() []key.Binding {
	switch m.stage {
	case editing:
		return m.form.Keys()
	case confirming:
		return m.confirm.Keys()
	}
	return nil
}

// Explain is what the help page says besides the keys.
func (m *Model) Explain() []string {
	return []string{
		"A payment link is a page where a customer pays. A one-time link is used up by its first payment.",
		"What is sent stands beside the form in a window of 100 columns and more: words here, the integers of the service there (0 once, 1 again and again; 0 fixed, 1 chosen).",
		"The receipt e-mail of the service is announced but does not exist yet, so none is offered.",
	}
}
