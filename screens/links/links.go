// Package links lists the payment links that were created here: the amount of each, its URL,
// and the payments made through it from here. Links whose creation is unresolved come first,
// and lead to their attempts; then those that are not as they were asked for. [Form] creates a link, and [Share] passes it on.
package links

import (
	"context"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/api/query"
	"paydesk/screens/list"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/screens/report"
	"paydesk/ui"
)

// A Journal holds the links of the destination that the console is connected to.
type Journal interface {
	// FindLinks returns a page of the links: those whose creation is unresolved, those that must be read, and the others.
	FindLinks(ctx context.Context, q query.Query, s journal.Search, from, n int) (journal.Page[journal.LinkRecord], error)
}

// A Model is the screen.
type Model struct {
	*list.Model[journal.LinkRecord]
}

// below sets how many lines a link has below the list, in a low window too.
const below = 6

// New is the screen.
func New(t *ui.Theme, j Journal) *Model {
	m := new(Model)
	m.Model = list.New(t, list.Of[journal.LinkRecord]{
		Title: "Links", One: "link", Many: "links", Columns: report.Links,
		ID:       func(l journal.LinkRecord) string { return string(l.ID) },
		Read:     func(w list.Want[journal.LinkRecord]) list.Reading[journal.LinkRecord] { return read(j, w) },
		Problem:  func(err error) present.Problem { return present.JournalUnread("The links", err) },
		Language: journal.LinkLanguage,
		Example:  "such as name:dues* >100 gbp day:7d, or an alias",
		None:     m.none, Pane: m.pane, Below: func() int { return below }, Commands: m.commands,
	})
	return m
}

// read reads a page, and how many there are, where a query leaves some out.
func read(j Journal, w list.Want[journal.LinkRecord]) list.Reading[journal.LinkRecord] {
	return func(ctx context.Context) (rows list.Rows[journal.LinkRecord], err error) {
		rows.Whole = w.Whole
		if rows.Page, err = j.FindLinks(ctx, w.Query, w.Search, w.From, w.N); err == nil && w.Search.IsZero() && !w.Query.Empty() {
			rows.Whole, err = j.FindLinks(ctx, query.Query{}, journal.Search{}, 0, 0)
		}
		return rows, err
	}
}

// commands are the keys of the list.
func (m *Model) commands() ui.Commands {
	leadsTo := "share"
	if l, some := m.Shown(); some && l.CreatedLink == nil {
		leadsTo = "attempt"
	}
	return ui.Commands{
		m.On(ui.Bind("enter", leadsTo), nil, open),
		m.On(ui.Bind("c", "collect"), whyNot, func(l journal.LinkRecord) tea.Cmd {
			return nav.Open(nav.Collect{Link: l.CreatedLink, Paid: l.Paid > 0})
		}),
		m.On(ui.Bind("y", "copy URL"), whyNotURL, func(l journal.LinkRecord) tea.Cmd { return m.Copy("URL", l.CreatedLink.Page.String()) }),
		{Key: ui.Bind("n", "new link"), On: true, Do: func() tea.Cmd { return nav.Open(nav.NewLink{}) }},
		m.Search(), m.Reload(),
		m.On(ui.Bind("Y", "copy alias"), whyNot, func(l journal.LinkRecord) tea.Cmd { return m.Copy("alias", string(l.CreatedLink.Alias)) }),
		m.On(ui.Bind("v", "raw answer"), func(l journal.LinkRecord) string { return present.WhyUnread(l.Attempt) }, func(l journal.LinkRecord) tea.Cmd { return nav.Open(nav.RawOf(l.Attempt)) }),
	}
}

// whyNot says why a link cannot be used: one whose creation is unresolved is not known.
func whyNot(l journal.LinkRecord) string {
	if l.CreatedLink == nil {
		return present.NotKnown(ledger.CreateLink) + " Press enter to resolve it."
	}
	return present.WhyUnread(l.Attempt)
}

func whyNotURL(l journal.LinkRecord) string {
	if why := whyNot(l); why != "" || !l.CreatedLink.Page.IsZero() {
		return why
	}
	return "This link has no URL that is safe to copy."
}

// open shows the link for sharing, or the attempt to create it.
func open(l journal.LinkRecord) tea.Cmd {
	if l.CreatedLink == nil {
		return nav.Open(nav.Attempt{ID: l.ID})
	}
	return nav.Open(nav.ShareOf(l.Attempt))
}

// none says why there are no links, and the key that changes that.
func (m *Model) none() (string, key.Binding) {
	if !m.Query().Empty() {
		return "", key.Binding{}
	}
	return "No links have been created here yet.", ui.Bind("n", "new link")
}

// pane is a link beside the list or below it.
func (m *Model) pane(l journal.LinkRecord, w, h int) []string {
	r := report.OfLink(l, m.Scope.Now())
	if l.CreatedLink == nil {
		r.Says = append(r.Says, report.Words{Text: "Press enter to resolve it."})
	}
	if !m.Beside() {
		return r.Preview(m.Theme, "", w, h)
	}
	pane := r.Pane(m.Theme, w, h)
	if l.CreatedLink == nil || l.MustBeRead() { // which has no code that may be handed out
		return pane
	}
	if code, fits := m.Theme.QR(l.CreatedLink.Page.String()).Beside(w, h-len(pane)-1); fits > 0 {
		pane = append(append(pane, ""), code...)
	}
	return pane
}

// Command implements [ui.Commander]: the list with its search.
func (m *Model) Command() []string { return append([]string{"link", "list"}, m.Where()...) }

// Explain is the text of the help page.
func (m *Model) Explain() []string {
	return append([]string{
		"The links that this user created in this profile, as far back as the journal goes.",
		"Paid counts the SUCCESSFUL payments made through a link from here. What customers paid on its hosted page is not known here.",
		present.Unresolved + ": " + present.NotKnown(ledger.CreateLink) + " Open its attempt to resolve it.",
		present.Mismatch + ": the service's answer differs from what was asked for. It cannot be used, and its URL is not copied, until you have read how it differs.",
	}, m.SearchHelp()...)
}
