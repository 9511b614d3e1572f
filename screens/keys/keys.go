// Package keys gets the secret key of a profile: from its source, or by asking.
package keys

import (
	"context"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/keystore"
	"paydesk/ui"
)

// Options of the screen.
type Options struct {
	Profile keystore.Profile
	Store   keystore.Store
	// Check asks the service one harmless question with a key.
	Check func(context.Context, keystore.Profile, keystore.Key) error
}

// New gets the key of a profile.
func New(t *ui.Theme, o Options) *Model { return &Model{} }

// A Model is the screen.
type Model struct{}

func (m *Model) Init(s ui.Scope) tea.Cmd     { return nil }
func (m *Model) Update(msg tea.Msg) tea.Cmd  { return nil }
func (m *Model) Resize(w, h int)             {}
func (m *Model) View() (string, *tea.Cursor) { return "", nil }
func (m *Model) Title() string               { return "" }
func (m *Model) Keys() []key.Binding         { return nil }
func (m *Model) Typing() bool                { return false }
