// Package payment watches one payment until it settles.
package payment

import (
	"context"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/screens/desk"
	"paydesk/ui"
)

// A Service is what watching asks of the client.
type Service interface {
	Transaction(context.Context, api.Reference) (api.Transaction, error)
}

// Payments is what this console has under way.
type Payments interface {
	Of(api.Reference) (desk.Entry, bool)
}

// Settings outlive the screen.
type Settings struct {
	Bell bool // ring when a payment settles
}

// New watches a payment; without a reference it asks for one.
func New(t *ui.Theme, s Service, d Payments, set *Settings, r api.Reference) *Model { return &Model{} }

// A Model is the screen.
type Model struct{}

func (m *Model) Init(s ui.Scope) tea.Cmd     { return nil }
func (m *Model) Update(msg tea.Msg) tea.Cmd  { return nil }
func (m *Model) Resize(w, h int)             {}
func (m *Model) View() (string, *tea.Cursor) { return "", nil }
func (m *Model) Title() string               { return "" }
func (m *Model) Keys() []key.Binding         { return nil }
func (m *Model) Typing() bool                { return false }
