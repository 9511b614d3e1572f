// Package challenge presents the bank check of a card payment. Either the payment has a URL where
// the customer authenticates, which can be opened, copied or scanned; or the service returns an
// HTML page, which is served once on loopback for a browser. A page is never printed into the
// terminal. challenge.go has the URL, check.go the request and the page.
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

// A Service is the part of the client that the bank check uses.
type Service interface {
	Authenticate(context.Context, api.Reference) (api.Authentication, error)
}

// Payments are those in progress in this console.
type Payments interface {
	Find(api.Reference) (session.Entry, bool)
	CustomerDone(api.Reference)
}

// A Page is an HTML page served on loopback, for one fetch.
type Page interface {
	Address() string
	Port() int
	Done() <-chan struct{} // closed once it was fetched or has expired
	Served() bool
	Close() error
}

// A Browser opens URLs and serves pages.
type Browser struct {
	// Unavailable says why no browser can be opened on this machine, "" if one can.
	Unavailable string
	Open        func(ctx context.Context, url string) error
	// Serve serves a page once; the page ends with the context.
	Serve func(context.Context, api.Markup) (Page, error)
	// Tunnel returns the ssh command that forwards a port of this host to the person's machine, ""
	// if none is needed; nil if none ever is.
	Tunnel func(port int) string
}

type keyMap struct{ done, open, copy, code, redirect, check, present, watch key.Binding }

func newKeyMap() keyMap {
	bind := func(k, help string) key.Binding {
		return key.NewBinding(key.WithKeys(k), key.WithHelp(k, help))
	}
	return keyMap{
		done:     bind("enter", "customer done"),
		open:     bind("o", "open"),
		copy:     bind("c", "copy"),
		code:     bind("q", "QR code"),
		redirect: bind("t", "redirect"),
		check:    bind("a", "check if needed"),
		present:  bind("p", "page"),
		watch:    bind("w", "watch"),
	}
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

	entry    session.Entry
	known    bool // the payment was made in this console
	url      api.Address
	code     []string // the QR code of the URL
	codeW    int
	codeOnly bool // the code has the whole body

	check   ui.Call[api.Authentication]
	answer  *api.Authentication
	markup  string // size and hash of the page
	problem present.Problem

	serve    ui.Call[Page]
	lifetime ui.Call[bool] // ends with the page; reports whether it was fetched
	page     Page
	pageEnd  string // why the page is closed
	open     ui.Call[struct{}]

	settled bool // enter is accepted
	notice  ui.Notice
	w, h    int
}

// settled arrives once the screen has been open for [nav.SettleDelay].
type settled struct{}

var _ ui.Screen = (*Model)(nil)

// New presents the bank check of a payment.
func New(t *ui.Theme, s Service, d Payments, b Browser, r api.Reference) *Model {
	m := &Model{theme: t, service: s, payments: d, browser: b, reference: r, keys: newKeyMap()}
	m.entry, m.known = d.Find(r)
	m.setURL(m.entry.Payment.BankAuth)
	return m
}

// setURL sets the URL that is shown, copied and opened.
func (m *Model) setURL(a api.Address) {
	m.url, m.code, m.codeW = a, nil, 0
	if a.IsZero() || m.theme.ASCII { // a code needs block characters
		return
	}
	m.codeW, _ = ui.QRSize(a.String())
	m.code, _ = ui.QR(a.String()) // a URL may be too long for a code
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
	if a, ok := m.lifetime.Receive(msg); ok {
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
		return m.requestCheck()
	case key.Matches(k, m.keys.present):
		return m.present()
	case key.Matches(k, m.keys.redirect):
		m.toggleRedirect()
	case key.Matches(k, m.keys.copy):
		return m.copy()
	case key.Matches(k, m.keys.open):
		return m.openURL(m.url.String())
	case key.Matches(k, m.keys.code):
		if m.codeOnly = !m.codeOnly && len(m.code) > 0; len(m.code) == 0 {
			m.refuse("There is no QR code: it needs a terminal with Unicode and a URL that is not too long.")
		}
	}
	return nil
}

// refuse says why a key does nothing now.
func (m *Model) refuse(words string) { m.notice = ui.Notice{Tone: ui.ToneAct, Text: words} }

// done records that the customer completed the check, and goes to the next step.
func (m *Model) done() tea.Cmd {
	if !m.known {
		m.refuse("This payment was not taken here. Check its status instead (w).")
		return nil
	}
	if why := m.entry.Flow.WhyNot(flow.Authorise, time.Time{}); why != "" {
		m.refuse(why)
		return nil
	}
	m.payments.CustomerDone(m.reference)
	if e, _ := m.payments.Find(m.reference); e.Flow.NeedsFinalize() {
		return nav.ReplaceWith(nav.Finalize{Reference: m.reference})
	}
	return nav.ReplaceWith(nav.Payment{Reference: m.reference})
}

// watch goes to the payment. While a page is served this screen stays on the stack below it.
func (m *Model) watch() tea.Cmd {
	to := nav.Payment{Reference: m.reference}
	if m.page != nil {
		return nav.Open(to)
	}
	return nav.ReplaceWith(to)
}

// Resume loads the payment again, which may have changed on the screen above.
func (m *Model) Resume() tea.Cmd {
	m.entry, m.known = m.payments.Find(m.reference)
	return nil
}

// toggleRedirect changes the URL's redirect parameter and nothing else (specification 2.5).
func (m *Model) toggleRedirect() {
	value, has := m.url.Redirect()
	if !has {
		m.refuse("This URL has no redirect=true or redirect=false to switch.")
		return
	}
	m.setURL(m.url.WithRedirect(!value))
}

func (m *Model) copy() tea.Cmd {
	if m.url.IsZero() {
		m.refuse("There is no URL that is safe to copy.")
		return nil
	}
	m.notice.Text = "The URL was sent to your terminal's clipboard."
	return tea.SetClipboard(m.url.String())
}

// Back closes the full-screen code.
func (m *Model) Back() bool {
	was := m.codeOnly
	m.codeOnly = false
	return was
}

// Resize implements [ui.Screen].
func (m *Model) Resize(w, h int) { m.w, m.h = w, h }

// Title implements [ui.Screen].
func (m *Model) Title() string { return "Bank check" }

// Typing implements [ui.Screen].
func (m *Model) Typing() bool { return false }

// Notice is the line above the help bar.
func (m *Model) Notice() ui.Notice { return m.notice }

// Keys implements [ui.Screen] and lists only the keys that do something now.
func (m *Model) Keys() []key.Binding {
	k := m.keys
	_, has := m.url.Redirect()
	k.done.SetEnabled(m.entry.Flow.CustomerMustAct())
	k.open.SetEnabled(!m.url.IsZero() && m.browser.Unavailable == "")
	k.copy.SetEnabled(!m.url.IsZero())
	k.code.SetEnabled(len(m.code) > 0)
	k.redirect.SetEnabled(has)
	if m.codeOnly {
		k.code.SetHelp("q", "URL")
	}
	k.check.SetEnabled(m.whyNotCheck() == "")
	k.present.SetEnabled(m.answer != nil && !m.answer.Page.IsZero())
	return []key.Binding{k.done, k.present, k.open, k.copy, k.code, k.redirect, k.check, k.watch}
}

// Explain is the help page's text beyond the keys.
func (m *Model) Explain() []string {
	return []string{
		"The customer authenticates with their bank. Press enter when they have finished; the status shows whether the bank approved.",
		"redirect=true sends the customer on to the return URL; redirect=false closes the window, for an iframe or a modal.",
	}
}
