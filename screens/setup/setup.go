// Package setup explains the ways on when there is no configuration.
package setup

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/keystore"
	"paydesk/ui"
)

// Options of the screen.
type Options struct {
	Path   string // where the configuration lies
	Create func(keystore.Profile) error
	Demo   func() (keystore.Profile, keystore.Key, error) // starts the embedded sandbox
}

// New explains the ways on.
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
