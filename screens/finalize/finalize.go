// Package finalize says that the customer's part of a payment is complete.
package finalize

import (
	"context"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/screens/desk"
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

// New finalizes a payment, after asking.
func New(t *ui.Theme, s Service, d Payments, place show.Place, r api.Reference) *Model {
	return &Model{}
}

// A Model is the screen.
type Model struct{}

func (m *Model) Init(s ui.Scope) tea.Cmd     { return nil }
func (m *Model) Update(msg tea.Msg) tea.Cmd  { return nil }
func (m *Model) Resize(w, h int)             {}
func (m *Model) View() (string, *tea.Cursor) { return "", nil }
func (m *Model) Title() string               { return "" }
func (m *Model) Keys() []key.Binding         { return nil }
func (m *Model) Typing() bool                { return false }
