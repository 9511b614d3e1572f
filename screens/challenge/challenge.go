// Package challenge presents the bank's check of a card payment: the address
// where the customer authenticates, or the page the service hands over.
package challenge

import (
	"context"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/flow"
	"paydesk/screens/desk"
	"paydesk/screens/nav"
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
	Here string
	Open func(ctx context.Context, address string) error
	// Serve serves a page once; it ends with the context.
	Serve func(context.Context, api.Markup) (Page, error)
	// Tunnel is the ssh line that brings a port of this host to the person's
	// machine; "" where there is no need for one.
	Tunnel func(port int) string
}

// A Model is the screen.
type Model struct {
	theme     *ui.Theme
	service   Service
	payments  Payments
	browser   Browser
	reference api.Reference
	scope     ui.Scope
	keys      keyMap

	entry   desk.Entry
	known   bool
	address api.Address
	code    []string // the QR code of the address
	codeW   int
	showing bool // the code has the whole body

	check  ui.Call[api.Authentication]
	answer *api.Authentication
	serve  ui.Call[Page]
	page   Page
	ended  ui.Call[bool] // the page was fetched, or is gone
	gone   string        // what became of the page
	open   ui.Call[struct{}]

	notice ui.Notice
	w, h   int
}

var _ ui.Screen = (*Model)(nil)

// New presents the challenge of a payment.
func New(t *ui.Theme, s Service, d Payments, b Browser, r api.Reference) *Model {
	m := &Model{theme: t, service: s, payments: d, browser: b, reference: r, keys: newKeyMap()}
	m.entry, m.known = d.Of(r)
	m.point(m.entry.Payment.BankAuth)
	return m
}

// point makes an address the one that is shown, copied and opened.
func (m *Model) point(a api.Address) {
	m.address, m.code, m.codeW = a, nil, 0
	if a.IsZero() {
		return
	}
	m.codeW, _ = ui.QRSize(a.String())
	m.code, _ = ui.QR(a.String()) // an address too long for a code has none
}

// Init implements [ui.Screen].
func (m *Model) Init(s ui.Scope) tea.Cmd {
	m.scope = s
	return nil
}

// Update implements [ui.Screen].
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	if a, ok := m.check.Take(msg); ok {
		m.checked(a)
		return nil
	}
	if a, ok := m.serve.Take(msg); ok {
		return m.served(a)
	}
	if a, ok := m.ended.Take(msg); ok {
		m.pageEnded(a.Value)
		return nil
	}
	if a, ok := m.open.Take(msg); ok {
		m.opened(a.Err)
		return nil
	}
	if k, ok := msg.(tea.KeyPressMsg); ok {
		m.notice = ui.Notice{}
		return m.press(k)
	}
	return nil
}

func (m *Model) press(k tea.KeyPressMsg) tea.Cmd {
	switch {
	case key.Matches(k, m.keys.done):
		return m.done()
	case key.Matches(k, m.keys.watch):
		return nav.Instead(nav.Payment{Reference: m.reference})
	case key.Matches(k, m.keys.check):
		return m.ask()
	case key.Matches(k, m.keys.present):
		return m.present()
	}
	if m.address.IsZero() {
		return nil
	}
	switch {
	case key.Matches(k, m.keys.redirect):
		if value, has := m.address.Redirect(); has {
			m.point(m.address.WithRedirect(!value))
		}
	case key.Matches(k, m.keys.copy):
		m.notice.Text = "The address was sent to your terminal's clipboard."
		return tea.SetClipboard(m.address.String())
	case key.Matches(k, m.keys.open):
		return m.visit(m.address.String())
	case key.Matches(k, m.keys.code):
		m.showing = !m.showing
	}
	return nil
}

// done records that the customer completed the check, and goes to what comes
// next.
func (m *Model) done() tea.Cmd {
	m.payments.CustomerDone(m.reference)
	if e, _ := m.payments.Of(m.reference); e.Flow.NeedsFinalize() {
		return nav.Instead(nav.Finalize{Reference: m.reference})
	}
	return nav.Instead(nav.Payment{Reference: m.reference})
}

// Back leaves the code for the screen.
func (m *Model) Back() bool {
	was := m.showing
	m.showing = false
	return was
}

// Resize implements [ui.Screen].
func (m *Model) Resize(w, h int) { m.w, m.h = w, h }

// Title implements [ui.Screen].
func (m *Model) Title() string { return "Bank check" }

// Typing implements [ui.Screen].
func (m *Model) Typing() bool { return false }

// Notice is the one line above the help bar.
func (m *Model) Notice() ui.Notice { return m.notice }

// Keys implements [ui.Screen]. Only keys that do something now are listed.
func (m *Model) Keys() []key.Binding {
	k := m.keys
	_, has := m.address.Redirect()
	k.done.SetEnabled(m.entry.Flow.Next() == flow.Authorise)
	k.copy.SetEnabled(!m.address.IsZero())
	k.open.SetEnabled(!m.address.IsZero())
	k.code.SetEnabled(len(m.code) > 0)
	k.redirect.SetEnabled(has)
	k.present.SetEnabled(m.answer != nil && !m.answer.Page.IsZero())
	return []key.Binding{k.done, k.open, k.copy, k.code, k.redirect, k.check, k.present, k.watch}
}

// Explain is what the help page says besides the keys.
func (m *Model) Explain() []string {
	return []string{
		"The customer proves to their bank that they are who they say. Say \"done\" when they have; the status tells whether the bank agreed.",
		"redirect=true sends the customer on to the return address; redirect=false lets the window close itself, for an iframe or a modal.",
	}
}
