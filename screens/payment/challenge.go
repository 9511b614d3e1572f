package payment

import (
	"cmp"
	"context"
	"net/netip"
	"strings"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/api/session"
	"paydesk/screens/detail"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/screens/report"
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

	url  api.Address
	qr   ui.QR         // of the URL
	rest report.Report // what the head has left to the report

	check   ui.Call[api.Authentication]
	answer  *api.Authentication
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
		Beside: func(w, h int) []string { return lastAnswer(t, d.Kept(session.Subject{Reference: r}), w, h) },
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
	}
	if m.entry.Status.State.Final() { // its status is all that is left
		cs[0] = ui.Command{Key: ui.Bind("enter", "status"), On: true, Do: m.watch}
	}
	if _, fills := m.Whole(); fills { // beside the code there is room for these
		return ui.Commands{cs[2], cs[3], cs[0]}
	}
	k := m.subject()
	return append(cs, m.common(ui.Command{Key: ui.Bind("Y", "answer"), On: true, Why: cmp.Or(m.whyUnknown(), k.WhyNoAnswer()), Do: func() tea.Cmd { return m.Copy("answer", k.Answer()) }})...)
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

// head is the steps of the payment; what is to be paid, how it stands and what is to be done, where there is room; and the whole URL.
func (m *BankCheck) head(w int) []string {
	m.look()
	m.rest = report.Report{Says: m.elsewhere()}
	if m.known {
		m.rest = m.about(m.subject())
	}
	steps, lead, url := m.stepper(w, present.StageAuthorise), m.rest, m.bankURL(w)
	lead.Sections, lead.History = nil, nil
	above := append(lead.Column(m.Theme, w, m.H), "")
	if len(steps)+len(above)+len(url) < m.H { // one line is for the host
		m.rest = report.Report{Sections: m.rest.Sections, History: m.rest.History, Differs: m.rest.Differs}
		steps = append(steps, above...)
	}
	return append(steps, url...)
}

// bankURL is the whole URL at the left edge, so that a terminal can select it, or why there is none.
func (m *BankCheck) bankURL(w int) (lines []string) {
	t := m.Theme
	refused := m.entry.Payment().BankAuthRefused
	switch {
	case !m.url.IsZero():
		does := "The customer opens this URL and authenticates"
		if !m.entry.MayBeCard() {
			does = "The customer opens this URL and approves the payment"
		}
		lines = append(append(lines, t.Rule(does, "", w)), t.URLLines(m.url.String(), w)...)
	case !refused.Empty():
		p := present.Problem{What: "The service returned a URL that is not safe to use:", Detail: refused.Line(200)}
		lines = append(lines, p.Lines(t, w)...)
	case m.known:
		lines = append(lines, t.MutedLines(m.withoutURL(), w)...)
	}
	if m.check.Pending() {
		lines = append(lines, t.WaitLines(m.check.Wait(), "Checking whether authentication is needed", w)...)
	}
	if len(lines) > 0 {
		lines = append(lines, "")
	}
	return lines
}

// withoutURL says what a payment of this console has in place of a bank URL.
func (m *BankCheck) withoutURL() string {
	switch {
	case m.entry.Mismatch.Undecided():
		return "The customer should authorise nothing now. " + present.MismatchFirst
	case m.inDoubt():
		return "It was decided that this is not our payment: the customer should authorise nothing."
	case m.entry.Status.State.Final():
		return "The payment is final: the customer has nothing to authorise. enter shows its status."
	case m.entry.MayBeCard():
		return "This payment has no bank URL. Check whether authentication is needed (a), or watch the payment (s)."
	case m.entry.Channel == api.ChannelInterac:
		return "This payment has no URL to open. Interac sends the customer a request by e-mail, which they approve. Watch the payment (s)."
	}
	return "This payment has no URL to open. The customer approves it at their bank. Watch the payment (s)."
}

// report says what else is known of the payment, and the result of the check. The host has a line of its own,
// because it decides whether to trust a URL.
func (m *BankCheck) report() report.Report {
	r := m.rest
	redirect := report.Fact{Label: "Redirect", Rank: 4}
	if value, has := m.url.Redirect(); has {
		redirect.Value = "false: window closes (iframe, modal) (tab)"
		if value {
			redirect.Value = "true: then on to the return URL (tab)"
		}
	}
	facts := append([]report.Fact{{Label: "Host", Value: m.url.Host(), Strong: true}, redirect}, m.facts()...)
	bank := report.Section{Title: "Payment", Words: m.tunnel(loopbackPort(m.url.Host())), Facts: facts}
	check := report.Section{Title: "Authentication check"}
	switch a := m.answer; {
	case m.check.Pending():
	case !m.problem.IsZero():
		check.Words = []report.Words{{Problem: m.problem}}
	case a != nil:
		bank.Facts = facts[:len(facts)-2] // its fees and its message make way: the message of the check is later
		check.Facts = []report.Fact{
			{Label: "Needed", Value: needed(a)}, {Label: "Advice", Value: a.Recommendation.Prose(0), Rank: 2},
			{Label: "Message", Value: present.Quote(a.Message), Rank: 3}, {Label: "Check says", Value: checkStatus(a), Rank: 4},
		}
		for _, f := range a.Further {
			check.Facts = append(check.Facts, report.Fact{Label: "Further", Value: f.Prose(0), Rank: 5})
		}
		page := report.Fact{Label: "Bank page", Value: "none", Rank: 1}
		if p := a.Page; !p.IsZero() { // markup from outside is never drawn, and the hash tells two pages apart
			page.Value = present.Thousands(p.Size()) + " bytes, SHA-256 " + p.Sum() + "…"
		}
		check.Facts = append(check.Facts, page)
	case !m.url.IsZero() && m.whyNotCheck() == "":
		bank.Facts = append(facts, report.Fact{Label: "Bank check", Value: "a asks whether it is needed; s shows the status", Rank: 5})
	}
	r.Sections = append(r.Sections, bank, check, report.Section{Title: "Bank page", Words: m.pageWords()})
	return r
}

// elsewhere says what is to be done about a payment of which only the result of the check is known here.
func (m *BankCheck) elsewhere() (says []report.Words) {
	if m.answer != nil && m.answer.Enabled {
		_, order := api.BankAuthRequired.Meaning(api.Circumstances{})
		says = append(says, report.Words{Text: order, Order: true})
	}
	return append(says, report.Words{Text: "This payment was made elsewhere: its bank URL is not known here."},
		report.Words{Text: "Check again whether authentication is needed (a), or watch the payment (s).", Rank: 8})
}

// pageWords say where the page that came with a check is.
func (m *BankCheck) pageWords() []report.Words {
	switch {
	case m.answer == nil || m.answer.Page.IsZero() || m.check.Pending() || !m.problem.IsZero():
		return nil
	case m.page != nil:
		words := append([]report.Words{{Text: "Served once, for ten minutes:"}, {Text: m.page.Address()}}, m.tunnel(m.page.Port())...)
		if others := m.browser.Unguarded(); others != "" {
			words = append(words, report.Words{Text: others, Rank: 1})
		}
		return words
	case m.pageEnd != "":
		return []report.Words{{Text: m.pageEnd, Rank: 1}}
	}
	return []report.Words{{Text: "The page opens in a browser: o serves it once on this machine.", Rank: 1}}
}

// checkStatus is the status of the check, which is not that of the payment, and its code.
func checkStatus(a *api.Authentication) string {
	words := a.Status.Line(0)
	if !a.Code.Empty() {
		words = strings.TrimPrefix(words+" · code "+a.Code.Line(20), " · ")
	}
	return words
}

// tunnel shows how a person connected over SSH reaches a port of this host, 0 for none.
func (m *BankCheck) tunnel(port int) []report.Words {
	if port == 0 || m.browser.Tunnel == nil || m.browser.Tunnel(port) == "" {
		return nil
	}
	return []report.Words{{Text: "First run on your own machine:"}, {Text: m.browser.Tunnel(port)}}
}

// loopbackPort is the port if host is an address of this machine, as in the demo, else 0.
func loopbackPort(host string) int {
	at, err := netip.ParseAddrPort(host)
	if err != nil || !at.Addr().IsLoopback() {
		return 0
	}
	return int(at.Port())
}

// needed returns whether the bank must authenticate the payment. A response that leaves it out says
// neither yes nor no.
func needed(a *api.Authentication) string {
	switch {
	case !a.HasEnabled:
		return "the response does not say"
	case a.Enabled:
		return "yes"
	}
	return "no"
}

// code is the code in the whole window, with whom to trust and what for.
func (m *BankCheck) code() ui.Whole {
	m.look()
	does := "The customer scans it and authenticates at"
	if !m.entry.MayBeCard() {
		does = "The customer scans it and approves at"
	}
	whole := ui.Whole{Code: m.qr, Words: []string{does + " " + m.url.Host(), m.reference.String()}}
	if m.known {
		whole.Amount = present.AmountDue(m.entry.Asked())
	}
	return whole
}
