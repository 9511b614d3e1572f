// Package share shows a payment link so that it can be passed to a customer: URL, alias, QR code
// and what the service reports about it. A link that is not what was asked is shown only after
// somebody has read how it differs (differs.go).
package share

import (
	"cmp"
	"context"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/screens/report"
	"paydesk/ui"
)

// A Journal records that somebody has read how a link differs, and knows whether a link was paid.
type Journal interface {
	LinkPaid(context.Context, api.Alias) (bool, error)
	DifferenceRead(context.Context, api.Alias) error
}

// A Model is the screen.
type Model struct {
	ui.Body
	journal Journal // nil when it is off
	link    api.Link
	found   bool   // by a person; the service's answer never arrived
	sample  string // a test card that is offered
	code    ui.QR  // of the URL
	whole   bool   // the code has the whole window

	paid     bool // through it, from here
	paidCall ui.Call[bool]

	confirm  *ui.Confirm // that the differences were read; nil once they were
	recorded ui.Call[struct{}]
	problem  present.Problem // with recording it
}

// New shows a link. j is nil without a journal.
func New(t *ui.Theme, j Journal, r nav.Share) *Model {
	m := &Model{Body: ui.Body{Theme: t}, journal: j, link: r.Link, found: r.Found, sample: r.Sample}
	m.code = t.QR(r.Link.Page.String())
	if len(r.Link.Differs) > 0 && !r.Read {
		m.confirm = ui.NewConfirm(t, question)
	}
	return m
}

// Init implements [ui.Screen].
func (m *Model) Init(s ui.Scope) tea.Cmd {
	m.Scope = s
	if m.confirm == nil {
		return m.readPaid()
	}
	return tea.Batch(m.confirm.Init(s), m.readPaid())
}

// Resume implements [ui.Resumer]: the link may have been paid meanwhile.
func (m *Model) Resume() tea.Cmd { return m.readPaid() }

// readPaid asks the journal whether the link was paid. What it cannot tell is not shown.
func (m *Model) readPaid() tea.Cmd {
	j, alias := m.journal, m.link.Alias
	if j == nil {
		return nil
	}
	return m.paidCall.Then(func(a ui.Result[bool]) tea.Cmd {
		m.paid = m.paid || a.Value
		return nil
	}).Ask(m.Scope, func(ctx context.Context) (bool, error) { return j.LinkPaid(ctx, alias) })
}

// Update implements [ui.Screen].
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	if m.confirm != nil {
		return m.confirm.Answer(msg, m.accept, func() tea.Cmd { return nav.Pop })
	}
	return m.Press(msg, m.commands())
}

// commands are the keys. Without a safe URL the key to copy it says so.
func (m *Model) commands() ui.Commands {
	code := "QR code"
	if m.whole {
		code = "less"
	}
	return ui.Commands{
		{Key: ui.Bind("enter", "collect payment", "enter", "c"), On: true, Do: m.collect},
		{Key: ui.Bind("y", "copy URL"), On: !m.link.Page.IsZero(), Do: m.copyURL},
		{Key: ui.Bind("z", code), On: !m.code.IsZero(), Do: m.toggleCode},
		{Key: ui.Bind("Y", "copy alias"), On: true, Do: func() tea.Cmd { return m.Copy("alias", string(m.link.Alias)) }},
		{Key: ui.Bind("v", "raw"), On: true, Do: func() tea.Cmd { return nav.Open(nav.Raw{Link: m.link.Alias}) }},
	}
}

// collect takes a payment through the link, for a customer who is here.
func (m *Model) collect() tea.Cmd {
	l := m.link
	to := nav.Collect{Link: &l, Paid: m.paid}
	if !m.paid {
		to.Sample = m.sample
	}
	return nav.Open(to)
}

// copyURL copies the whole URL. Selected in the terminal, one of several lines may get line breaks.
func (m *Model) copyURL() tea.Cmd {
	if m.link.Page.IsZero() {
		return m.Warn("There is no URL that is safe to copy.")
	}
	return m.Copy("URL", m.link.Page.String())
}

// toggleCode gives the whole window to the code, for which there may be no room beside the facts, or takes it
// back.
func (m *Model) toggleCode() tea.Cmd {
	if m.code.IsZero() {
		return m.Warn("There is no QR code: it needs a terminal with Unicode and a URL that is not too long.")
	}
	if words := m.wholeCode().TooSmall(m.W, m.H); words != "" && !m.whole {
		return m.Warn(words + " Copy the URL instead (y).")
	}
	m.whole = !m.whole
	return nil
}

// Back closes the code in the whole window.
func (m *Model) Back() bool {
	was := m.whole
	m.whole = false
	return was
}

// Whole implements [ui.Filler].
func (m *Model) Whole() (ui.Whole, bool) { return m.wholeCode(), m.whole }

// wholeCode is the code in the whole window, with what the customer pays there.
func (m *Model) wholeCode() ui.Whole {
	return ui.Whole{Code: m.code, Words: []string{m.link.Name.Prose(0), m.amount(), "The customer scans it and pays at " + m.link.Page.Host()}}
}

// Title implements [ui.Screen].
func (m *Model) Title() string { return "Link" }

// Keys implements [ui.Screen].
func (m *Model) Keys() []key.Binding {
	if m.confirm != nil {
		return m.confirm.Keys()
	}
	return m.commands().Keys()
}

// Explain is the help page's text beyond the keys.
func (m *Model) Explain() []string {
	return []string{
		"One payment link, to pass to the customer: anyone who opens its URL can pay. Its alias names it in a payment taken from here.",
		present.Mismatch + ": the service's answer about the link is not what was asked. It cannot be used from here until you have read how it differs.",
		"Copying goes through the terminal (OSC 52); some terminals disable it.",
	}
}

const (
	label = 12 // cells of the column of labels
	gap   = 2  // cells before the code
	least = 21 // cells of the values beside the code
)

// View implements [ui.Screen].
func (m *Model) View() (string, *tea.Cursor) {
	if m.confirm != nil {
		return m.viewDifferences()
	}
	head := m.url()
	code, codeW := m.code.Beside()
	left := m.W - codeW - gap
	fits := len(code) > 0 && left >= label+least && len(head)+len(code) <= m.H
	if !fits {
		left, code = m.W, nil
	}
	lines := m.report().Page(m.Theme, left)
	if words := m.codeElsewhere(); !fits && words != "" {
		lines = append(append(lines, present.Rows(blank, "")...), present.Rows(0, m.Theme.Muted.Render(words))...)
	}
	if len(head)+1+len(code) <= m.H {
		lines = append(present.Rows(blank, ""), lines...)
		code = append(make([]string, min(len(code), 1)), code...)
	}
	beside := present.SideBySide(left, present.FitHeight(m.H-len(head), lines), code)
	return ui.Lines(m.W, m.H, append(head, beside...)...), nil
}

// blank is the rank of what a low window leaves out first.
const blank = 9

// url is the whole URL at the left edge, so that a terminal can select it. One that is wider than the
// window is broken and has to be copied with the key.
func (m *Model) url() []string {
	if !m.link.Page.IsZero() {
		return m.Theme.URLLines(m.link.Page.String(), m.W)
	}
	if m.found {
		return ui.Wrap("Its URL is not known here: it was found by its alias.", max(1, m.W))
	}
	if m.link.PageText.Empty() {
		return []string{m.Theme.Error.Render("! The service returned no URL for this link.")}
	}
	p := present.Problem{What: "The service returned a URL that is not safe to use:", Detail: m.link.PageText.Line(200)}
	return p.Lines(m.Theme, m.W)
}

// codeElsewhere says where the code is to be seen, for which there is no room beside the facts; "" without one.
func (m *Model) codeElsewhere() string {
	if m.code.IsZero() {
		return ""
	}
	return cmp.Or(m.wholeCode().TooSmall(m.W, m.H), "z shows its QR code in the whole window.")
}

// amount returns what the customer pays. An amount that the link does not fix may still have a currency.
func (m *Model) amount() string {
	switch l := m.link; {
	case l.AmountType == api.Static && l.HasAmount:
		return l.Amount.String()
	case l.AmountType == api.Static:
		return "Amount not known"
	case l.HasAmount:
		return "Amount " + api.Dynamic.In(l.Amount.Currency)
	}
	return "Amount " + api.Dynamic.String()
}

// report returns what is known of the link.
func (m *Model) report() report.Report {
	a := ledger.Attempt{Kind: ledger.CreateLink, Outcome: ledger.Accepted, Decision: ledger.DifferenceRead, CreatedLink: &m.link}
	if m.found {
		a.Outcome = ledger.Unresolved
	}
	record := journal.LinkRecord{Attempt: a}
	if m.paid {
		record.Paid = 1
	}
	r := report.OfLink(record, time.Time{})
	r.Amount, r.Status = m.amount(), ui.Cell{}
	return r
}
