package payment

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/screens/detail"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/ui"
)

// An authenticator is the part of the client that the bank check uses.
type authenticator interface {
	Authenticate(context.Context, api.Reference) (api.Authentication, error)
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
	// Unguarded says why others than this user might fetch a page, "" if no other can.
	Unguarded func() string
	// Tunnel returns the ssh command that forwards a port of this host to the person's machine, ""
	// if none is needed; nil if none ever is.
	Tunnel func(port int) string
}

// A BankCheck is the screen that presents what the customer does at their bank. Either the payment has a URL where
// the customer authenticates or approves, which can be opened, copied or scanned; or the service
// returns an HTML page for a card, which is served once on loopback for a browser. A page is never
// printed into the terminal.
//
// The service can be asked about the card of any payment, also of one that was made elsewhere.
type BankCheck struct {
	step
	service authenticator
	browser Browser

	url api.Address
	qr  ui.QR // of the URL

	check   ui.Call[api.Authentication]
	answer  *api.Authentication
	markup  string // size and hash of the page
	problem present.Problem

	serve    ui.Call[Page]
	lifetime ui.Call[bool] // ends with the page; reports whether it was fetched
	page     Page
	pageEnd  string             // why the page is closed
	endPage  context.CancelFunc // nil before a page was served
	open     ui.Call[struct{}]
}

// NewBankCheck presents the bank check of a payment. The URL that the initiation returned is shown at once;
// the service is asked about the check only when a person wants to know, which is why they come
// here with a payment that was made elsewhere.
func NewBankCheck(t *ui.Theme, s authenticator, d tracked, b Browser, r api.Reference) *BankCheck {
	m := &BankCheck{step: step{payments: d, reference: r}, service: s, browser: b}
	m.Model = detail.New(&ui.Body{Theme: t}, detail.Of{
		Head: m.head, Report: m.report, Code: m.code, Commands: m.commands,
		Help: []string{
			"The customer authenticates with their bank, or approves the payment there. Press enter when they have finished; the status shows whether the bank approved.",
			"o opens the page that the service returned, and without one the URL. z gives the QR code the whole window.",
			"a asks the service whether a card needs authentication. It changes nothing, and works for payments made elsewhere too.",
			"redirect=true sends the customer on to the return URL; redirect=false closes the window, for an iframe or a modal.",
		},
	})
	m.look()
	return m
}

// setURL sets the URL that is shown, copied and opened, and draws its code, so that the code never
// leads to another one.
func (m *BankCheck) setURL(a api.Address) {
	m.url = a
	m.qr = m.Theme.QR(a.String())
}

// Init implements [ui.Screen].
func (m *BankCheck) Init(s ui.Scope) tea.Cmd {
	m.step.Init(s)
	if !m.known && m.whyNotCheck() == "" {
		return m.requestCheck()
	}
	return nil
}

// look also sets the URL: the customer has none to open once the payment is final, or in doubt.
func (m *BankCheck) look() {
	m.step.look()
	to := m.url
	switch {
	case m.inDoubt(), m.entry.Status.State.Final():
		to = api.Address{}
	case to.IsZero():
		to = m.entry.Payment().BankAuth
	}
	if to != m.url {
		m.setURL(to)
	}
}

// inDoubt reports whether the customer should authorise nothing now.
func (m *BankCheck) inDoubt() bool { return m.entry.Mismatch.InDoubt() }

// commands are the keys. One that can do nothing now is not in the help bar, and says why when it
// is pressed.
func (m *BankCheck) commands() ui.Commands {
	m.look()
	_, switches := m.url.Redirect()
	cs := ui.Commands{
		{Key: ui.Bind("enter", "customer done"), On: m.entry.CustomerMustAct(), Do: m.done},
		{Key: ui.Bind("o", "open"), On: m.hasPage() || !m.url.IsZero() && m.browser.Unavailable == "", Do: m.openForCustomer},
		m.CopyURL(m.url),
		{Key: ui.Bind("tab", "redirect"), On: switches, Do: m.toggleRedirect},
		{Key: ui.Bind("a", "check if needed"), On: true, Why: m.whyNotCheck(), Do: m.requestCheck},
		{Key: ui.Bind("s", "status"), On: true, Do: m.watch},
		{Key: ui.Bind("v", "raw answers"), On: true, Do: nav.To(nav.Raw{Reference: m.reference, Attempt: m.entry.ID})},
	}
	if m.entry.Status.State.Final() { // its status is all that is left
		cs[0] = ui.Command{Key: ui.Bind("enter", "status"), On: true, Do: m.watch}
	}
	if _, fills := m.Model.Whole(); fills { // beside the code there is room for these
		return ui.Commands{cs[2], cs[3], cs[0]}
	}
	return cs
}

// done records that the customer completed the check, and goes to the next step. It sends nothing:
// whether the bank approved is for the status to say. At first the key does nothing, because it may
// have been meant for the screen before this one.
func (m *BankCheck) done() tea.Cmd {
	switch why := m.entry.WhyNot(ledger.ToAuthorise, m.Scope.Now()); {
	case m.Scope.Now().Sub(m.since) < nav.SettleDelay:
		return nil
	case why != "":
		return m.Warn(why)
	}
	m.payments.CustomerDone(m.reference)
	m.look()
	return nav.ReplaceWith(nav.Next(m.entry.Attempt, m.reference))
}

// watch goes to the payment. While a page is served this screen stays on the stack below it,
// because the page ends with the screen.
func (m *BankCheck) watch() tea.Cmd {
	to := nav.Payment{Reference: m.reference}
	if m.page != nil {
		return nav.Open(to)
	}
	return nav.ReplaceWith(to)
}

// toggleRedirect changes the URL's redirect parameter and nothing else (specification 2.5).
func (m *BankCheck) toggleRedirect() tea.Cmd {
	value, has := m.url.Redirect()
	if !has {
		return m.Warn("This URL has no redirect=true or redirect=false to switch.")
	}
	m.setURL(m.url.WithRedirect(!value))
	return nil
}

// Title implements [ui.Screen].
func (m *BankCheck) Title() string {
	if !m.entry.MayBeCard() {
		return "Approval"
	}
	return "Bank check"
}

// Command implements [ui.Commander]: the check whether the customer has to authorise the payment.
func (m *BankCheck) Command() []string { return present.CommandOn(string(m.reference), "authenticate") }
