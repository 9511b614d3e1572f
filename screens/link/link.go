// Package link asks for a payment link and creates it.
package link

import (
	"context"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/screens/show"
	"paydesk/ui"
)

// A Creator creates links; LinkBody is the JSON it would send.
type Creator interface {
	CreateLink(context.Context, api.LinkDraft) (api.Link, error)
	LinkBody(api.LinkDraft) string
}

// New asks for a link.
func New(t *ui.Theme, c Creator, place show.Place) *Model { return &Model{} }

// A Model is the screen.
type Model struct{}

func (m *Model) Init(s ui.Scope) tea.Cmd     { return nil }
func (m *Model) Update(msg tea.Msg) tea.Cmd  { return nil }
func (m *Model) Resize(w, h int)             {}
func (m *Model) View() (string, *tea.Cursor) { return "", nil }
func (m *Model) Title() string               { return "" }
func (m *Model) Keys() []key.Binding         { return nil }
func (m *Model) Typing() bool                { return false }
