// Package collect takes one payment, from the amount to its initiation.
package collect

import (
	"context"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/money"
	"paydesk/screens/show"
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
	Place show.Place
	Cards []TestCard
}

// New takes a payment.
func New(t *ui.Theme, s Service, o Options) *Model { return &Model{} }

// A Model is the screen.
type Model struct{}

func (m *Model) Init(s ui.Scope) tea.Cmd     { return nil }
func (m *Model) Update(msg tea.Msg) tea.Cmd  { return nil }
func (m *Model) Resize(w, h int)             {}
func (m *Model) View() (string, *tea.Cursor) { return "", nil }
func (m *Model) Title() string               { return "" }
func (m *Model) Keys() []key.Binding         { return nil }
func (m *Model) Typing() bool                { return false }
