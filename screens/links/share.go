package links

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/screens/detail"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/screens/report"
	"paydesk/ui"
)

// A Record notes that a person has read how a link differs, and knows what was paid through it: the journal.
type Record interface {
	Link(context.Context, api.Alias) (journal.LinkRecord, error)
	DifferenceRead(context.Context, api.Alias) error
}

// A Share is the screen that shows a payment link so that it can be passed to a customer: URL, alias, QR code
// and what the service reports about it. A link that is not what was asked is shown only after
// a person has read how it differs.
type Share struct {
	*detail.Model
	journal Record
	link    api.Link
	found   bool   // by a person; the service's answer never arrived
	sample  string // a test card that is offered
	qr      ui.QR  // of the URL

	record ui.Call[journal.LinkRecord]
	known  journal.LinkRecord // as the journal has it; the zero value where it has none, or before it was read

	unread   bool // the differences are to be read
	recorded ui.Call[struct{}]
	problem  present.Problem // with recording it
}

// NewShare shows a link.
func NewShare(t *ui.Theme, j Record, r nav.Share) *Share {
	m := &Share{journal: j, link: r.Link, found: r.Found, sample: r.Sample, qr: t.QR(r.Link.Page.String())}
	m.Model = detail.New(&ui.Body{Theme: t}, detail.Of{
		Title: "Link", Head: m.url, Report: m.report, Code: m.code, Commands: m.commands,
		Help: []string{
			"One payment link, to pass to the customer: anyone who opens its URL can pay. Its alias names it in a payment taken from here.",
			present.Mismatch + ": the service's answer differs from what was asked for. It cannot be used from here until you have read how it differs.",
			"Copying goes through the terminal (OSC 52); some terminals disable it.",
		},
	})
	m.unread = len(r.Link.Differs) > 0 && !r.Read
	return m
}

// Init implements [ui.Screen].
func (m *Share) Init(s ui.Scope) tea.Cmd {
	m.Scope = s
	if m.unread {
		return tea.Batch(m.ask(), m.readRecord())
	}
	return m.readRecord()
}

// Resume implements [ui.Resumer]: the link may have been paid meanwhile.
func (m *Share) Resume() tea.Cmd { return m.readRecord() }

// readRecord asks the journal what was paid through the link. What it cannot tell is not shown.
func (m *Share) readRecord() tea.Cmd {
	j, alias := m.journal, m.link.Alias
	return m.record.Then(func(a ui.Result[journal.LinkRecord]) tea.Cmd {
		if a.Err == nil {
			m.known = a.Value
		}
		return nil
	}).Ask(m.Scope, func(ctx context.Context) (journal.LinkRecord, error) { return j.Link(ctx, alias) })
}

// commands are the keys.
func (m *Share) commands() ui.Commands {
	return ui.Commands{
		{Key: ui.Bind("enter", "collect", "enter", "c"), On: true, Do: m.collect},
		m.CopyURL(m.link.Page),
		{Key: ui.Bind("Y", "copy alias"), On: true, Do: func() tea.Cmd { return m.Copy("alias", string(m.link.Alias)) }},
		{Key: ui.Bind("v", "raw"), On: true, Do: nav.To(nav.Raw{Link: m.link.Alias})},
	}
}

// collect takes a payment through the link, for a customer who is here.
func (m *Share) collect() tea.Cmd {
	l := m.link
	to := nav.Collect{Link: &l, Paid: m.known.Paid > 0}
	if !to.Paid {
		to.Sample = m.sample
	}
	return nav.Open(to)
}

// code is the code with what the customer pays there.
func (m *Share) code() ui.Whole {
	r := m.report()
	return ui.Whole{Code: m.qr, Amount: r.Amount + r.Remark, Words: []string{m.link.Name.Prose(0), "The customer scans it and pays at " + m.link.Page.Host()}}
}

// url is the whole URL at the left edge, so that a terminal can select it. One that is wider than the
// window is broken and has to be copied with the key.
func (m *Share) url(w int) []string {
	switch {
	case !m.link.Page.IsZero():
		return append(m.Theme.URLLines(m.link.Page.String(), w), "")
	case m.found:
		return append(ui.Wrap("Its URL is not known here: it was found by its alias.", max(1, w)), "")
	case m.link.PageText.Empty():
		return []string{m.Theme.Error.Render("! The service returned no URL for this link."), ""}
	}
	p := present.Problem{What: "The service returned a URL that is not safe to use:", Detail: m.link.PageText.Line(200)}
	return append(p.Lines(m.Theme, w), "")
}

// report returns what is known of the link: what the journal has once it is read, and before that what was answered.
func (m *Share) report() report.Report {
	l := m.known
	if l.ID == "" || l.MustBeRead() {
		l.Attempt = ledger.Attempt{Kind: ledger.CreateLink, Outcome: ledger.Accepted, Decision: ledger.DifferenceRead, CreatedLink: &m.link}
		if m.found {
			l.Outcome, l.Decision = ledger.Unresolved, ledger.Found
		}
	}
	return report.OfLink(l, m.Scope.Now())
}

// Command implements [ui.Commander].
func (m *Share) Command() []string { return present.CommandOn(string(m.link.Alias), "link", "show") }

// Request is the creation of a link like this one, for curl: the service has no request that reads a link. There is
// none for a link whose amount is not known.
func (m *Share) Request() (api.Call, bool) {
	l := m.link
	d := api.LinkDraft{Name: l.Name.Line(0), Description: l.Description.Line(0), AmountType: l.AmountType, Amount: l.Amount}
	d.Type, _ = api.ParseLinkType(l.Type.Line(0)) // one that is not known is created as a one-time link
	return api.Call{Operation: api.OpCreateLink, Link: d}, !m.Asks() && l.HasAmount
}

// writeLimit limits how long the journal may take to record that the differences were read.
const writeLimit = 10 * time.Second

// ask shows what was asked beside what was answered, and asks whether the person has read it.
func (m *Share) ask() tea.Cmd {
	return m.Ask(ui.Question{
		Title: "Have you read how it differs?",
		Lines: []string{"The customer pays what was answered. It is recorded that you have read this."},
		Yes:   "Record it", No: "Not now",
	}, func(w int) []present.Line {
		lines := append(report.OfDifferences(m.link).Page(m.Theme, w), present.Rows(1, m.problem.Lines(m.Theme, w)...)...)
		return append(lines, present.Rows(4, "")...)
	}, m.accept)
}

// accept records that the differences were read.
func (m *Share) accept() tea.Cmd {
	j, alias := m.journal, m.link.Alias
	return m.recorded.Then(m.onRecorded).Commit(m.Scope, writeLimit, func(ctx context.Context) (struct{}, error) {
		return struct{}{}, j.DifferenceRead(ctx, alias)
	})
}

// onRecorded shows the link, or asks again when it could not be recorded.
func (m *Share) onRecorded(a ui.Result[struct{}]) tea.Cmd {
	if a.Err == nil {
		m.Answered()
		return m.readRecord()
	}
	m.problem = present.Problem{What: "It was not recorded that you have read this.", Detail: present.Plain(a.Err.Error())}
	return m.ask()
}

// WhyStay says why the screen cannot be left now.
func (m *Share) WhyStay() string {
	if m.recorded.Pending() {
		return "Recording that you have read it."
	}
	return ""
}
