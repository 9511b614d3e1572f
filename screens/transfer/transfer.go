// Package transfer shows the account a customer shall pay into.
package transfer

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/screens/desk"
	"paydesk/ui"
)

// Payments is what this console has under way.
type Payments interface {
	Of(api.Reference) (desk.Entry, bool)
	CustomerDone(api.Reference)
}

// New shows the account of a payment.
func New(t *ui.Theme, d Payments, r api.Reference) *Model { return &Model{} }

// A Model is the screen.
type Model struct{}

func (m *Model) Init(s ui.Scope) tea.Cmd     { return nil }
func (m *Model) Update(msg tea.Msg) tea.Cmd  { return nil }
func (m *Model) Resize(w, h int)             {}
func (m *Model) View() (string, *tea.Cursor) { return "", nil }
func (m *Model) Title() string               { return "" }
func (m *Model) Keys() []key.Binding         { return nil }
func (m *Model) Typing() bool                { return false }
