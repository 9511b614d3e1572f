// Package challenge presents the bank's check of a card payment.
package challenge

import (
	"context"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/screens/desk"
	"paydesk/ui"
)

// A Service is what the challenge asks of the client.
type Service interface {
	Authenticate(context.Context, api.Reference) (api.Authentication, error)
}

// Payments is what this console has under way.
type Payments interface {
	Of(api.Reference) (desk.Entry, bool)
	CustomerDone(api.Reference)
}

// A Page is a challenge page served on loopback.
type Page interface {
	Address() string
	Port() int
	Done() <-chan struct{}
	Served() bool
	Close() error
}

// A Browser opens addresses, and serves challenge pages for one.
type Browser struct {
	// Here is "" when a browser can be opened on this machine, otherwise why not.
	Here  string
	Open  func(ctx context.Context, address string) error
	Serve func(context.Context, api.Markup) (Page, error)
	// Tunnel is the ssh line that brings a port of this host to the person's machine; "" locally.
	Tunnel func(port int) string
}

// New presents the challenge of a payment.
func New(t *ui.Theme, s Service, d Payments, b Browser, r api.Reference) *Model { return &Model{} }

// A Model is the screen.
type Model struct{}

func (m *Model) Init(s ui.Scope) tea.Cmd     { return nil }
func (m *Model) Update(msg tea.Msg) tea.Cmd  { return nil }
func (m *Model) Resize(w, h int)             {}
func (m *Model) View() (string, *tea.Cursor) { return "", nil }
func (m *Model) Title() string               { return "" }
func (m *Model) Keys() []key.Binding         { return nil }
func (m *Model) Typing() bool                { return false }
