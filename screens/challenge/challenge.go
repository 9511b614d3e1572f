// Package challenge presents the bank's check of a card payment: the address
// where the customer authenticates, or the page the service hands over.
package challenge

import (
	"context"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/flow"
	"paydesk/api/session"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/ui"
)

// A Service is what the challenge asks of the client.
type Service interface {
	Authenticate(context.Context, api.Reference) (api.Authentication, error)
}

// Payments is what this console has under way.
type Payments interface {
	Find(api.Reference) (session.Entry, bool)
	CustomerDone(api.Reference)
}

// A Page is a challenge page served on loopback, for one fetch.
type Page interface {
	Address() string
	Port() int
	Done() <-chan struct{} // closed when it was fetched, or is not to be had any more
	Served() bool
	Close() error
}

// A Browser opens addresses, and serves challenge pages for one.
type Browser struct {
	// Here is "" when a browser can be opened on this machine, otherwise why not.
	Here string
	Open func(ctx context.Context, address string) error
	// Serve serves a page once; the page ends with the context.
	Serve func(context.Context, api.Markup) (Page, error)
	// Tunnel is the ssh line that brings a port of this host to the person's
	// machine; "" where there is no need for one, and nil where there never is.
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

	entry   session.Entry
	known   bool // the payment was made from here
	address api.Address
	code    []string // the QR code of the address
	codeW   int
	showing bool // the code has the whole body

	check   ui.Call[api.Authentication]
	answer  *api.Authentication
	markup  string // what there is to say about the page of the answer
	trouble present.Problem

	serve ui.Call[Page]
	life  ui.Call[bool] // its answer is the end of the page: whether it was fetched
	page  Page
	gone  string // what became of the page
	open  ui.Call[struct{}]

	settled bool // the screen has been open for a moment
	notice  ui.Notice
	w, h    int
}

// settled comes once the screen has been open for a moment.
type settled struct{}

var _ ui.Screen = (*Model)(nil)

// New presents the challenge of a payment.
func New(t *ui.Theme, s Service, d Payments, b Browser, r api.Reference) *Model {
	m := &Model{theme: t, service: s, payments: d, browser: b, reference: r, keys: newKeyMap()}
	m.entry, m.known = d.Find(r)
	m.point(m.entry.Payment.BankAuth)
	return m
}

// point makes an address the one that is shown, copied and opened.
func (m *Model) point(a api.Address) {
	m.address, m.code, m.codeW = a, nil, 0
	if a.IsZero() || m.theme.ASCII { // a code has no ASCII twin
		return
	}
	m.codeW, _ = ui.QRSize(a.String())
	m.code, _ = ui.QR(a.String()) // an address too long for a code has none
}

// Init implements [ui.Screen].
func (m *Model) Init(s ui.Scope) tea.Cmd {
	m.scope = s
	return s.After(nav.SettleDelay, settled{})
}

// Update implements [ui.Screen].
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	if a, ok := m.check.Receive(msg); ok {
		m.checked(a)
		return nil
	}
	if a, ok := m.serve.Receive(msg); ok {
		return m.served(a)
	}
	if a, ok := m.life.Receive(msg); ok {
		m.ended(a)
		return nil
	}
	if a, ok := m.open.Receive(msg); ok {
		m.opened(a.Err)
		return nil
	}
	switch msg := msg.(type) {
	case settled:
		m.settled = true
	case tea.KeyPressMsg:
		m.notice = ui.Notice{}
		return m.press(msg)
	}
	return nil
}

func (m *Model) press(k tea.KeyPressMsg) tea.Cmd {
	switch {
	case key.Matches(k, m.keys.done) && m.settled:
		return m.done()
	case key.Matches(k, m.keys.watch):
		return m.watch()
	case key.Matches(k, m.keys.check):
		return m.ask()
	case key.Matches(k, m.keys.present):
		return m.present()
	case key.Matches(k, m.keys.redirect):
		m.turn()
	case key.Matches(k, m.keys.copy):
		return m.copy()
	case key.Matches(k, m.keys.open):
		return m.visit(m.address.String())
	case key.Matches(k, m.keys.code):
		if m.showing = !m.showing && len(m.code) > 0; len(m.code) == 0 {
			m.why("There is no QR code: none is drawn in ASCII, or without an address, or of a very long one.")
		}
	}
	return nil
}

// why says in the notice why a key does nothing now.
func (m *Model) why(words string) { m.notice = ui.Notice{Tone: ui.ToneAct, Text: words} }

// done records that the customer completed the check, and goes to what comes
// next.
func (m *Model) done() tea.Cmd {
	if !m.known {
		m.why("This payment was not made from here; only its status tells (w).")
		return nil
	}
	if why := m.entry.Flow.WhyNot(flow.Authorise, time.Time{}); why != "" {
		m.why(why)
		return nil
	}
	m.payments.CustomerDone(m.reference)
	if e, _ := m.payments.Find(m.reference); e.Flow.NeedsFinalize() {
		return nav.ReplaceWith(nav.Finalize{Reference: m.reference})
	}
	return nav.ReplaceWith(nav.Payment{Reference: m.reference})
}

// watch goes to the payment; a page that waits to be fetched waits on below it.
func (m *Model) watch() tea.Cmd {
	to := nav.Payment{Reference: m.reference}
	if m.page != nil {
		return nav.Open(to)
	}
	return nav.ReplaceWith(to)
}

// Resume is called when the screen is on top again.
func (m *Model) Resume() tea.Cmd {
	m.entry, m.known = m.payments.Find(m.reference)
	return nil
}

// turn switches the part redirect of the address and nothing else (2.5).
func (m *Model) turn() {
	value, has := m.address.Redirect()
	if !has {
		m.why("There is no redirect=true or redirect=false to switch.")
		return
	}
	m.point(m.address.WithRedirect(!value))
}

func (m *Model) copy() tea.Cmd {
	if m.address.IsZero() {
		m.why("There is no address that is safe to copy.")
		return nil
	}
	m.notice.Text = "The address was sent to your terminal's clipboard."
	return tea.SetClipboard(m.address.String())
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

// Keys implements [ui.Screen]. Only keys that do something now are listed; a page that
// was handed over is what to go on with.
func (m *Model) Keys() []key.Binding {
	k := m.keys
	_, has := m.address.Redirect()
	k.done.SetEnabled(m.entry.Flow.CustomerMustAct())
	k.open.SetEnabled(!m.address.IsZero() && m.browser.Here == "")
	k.copy.SetEnabled(!m.address.IsZero())
	k.code.SetEnabled(len(m.code) > 0)
	k.redirect.SetEnabled(has)
	if m.showing {
		k.code.SetHelp("q", "address")
	}
	k.check.SetEnabled(m.whyNotCheck() == "")
	k.present.SetEnabled(m.answer != nil && !m.answer.Page.IsZero())
	return []key.Binding{k.done, k.present, k.open, k.copy, k.code, k.redirect, k.check, k.watch}
}

// Explain is what the help page says besides the keys.
func (m *Model) Explain() []string {
	return []string{
		"The customer proves to their bank that they are who they say. Say so when they have (enter); the status tells whether the bank agreed.",
		"redirect=true sends the customer on to the return address; redirect=false lets the window close itself, for an iframe or a modal.",
	}
}
