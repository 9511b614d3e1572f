package links

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/ui"
)

// commands are the keys of the list. A key that cannot be used now says why.
func (m *Model) commands() ui.Commands {
	l, ok := m.selected()
	made, leadsTo := l.CreatedLink != nil, "share"
	if ok && !made {
		leadsTo = "attempt"
	}
	return ui.Commands{
		{Key: ui.Bind("enter", leadsTo), On: ok, Do: m.open},
		{Key: ui.Bind("c", "collect"), On: made && !l.MustBeRead(), Do: func() tea.Cmd { return m.with(collect) }},
		{Key: ui.Bind("y", "copy URL"), On: made && !l.MustBeRead() && !l.CreatedLink.Page.IsZero(), Do: func() tea.Cmd { return m.with(m.copyURL) }},
		{Key: ui.Bind("n", "new link"), On: true, Do: func() tea.Cmd { return nav.Open(nav.NewLink{}) }},
		{Key: ui.Bind("/", "filter"), On: true, Do: m.typeFilter},
		{Key: ui.Bind("r", "reload"), On: true, Do: m.load},
		{Key: ui.Bind("Y", "copy alias"), On: made && !l.MustBeRead(), Do: func() tea.Cmd { return m.with(m.copyAlias) }},
		{Key: ui.Bind("v", "raw answer"), On: ok && !l.MustBeRead(), Do: m.openRaw},
	}
}

// Keys implements [ui.Screen].
func (m *Model) Keys() []key.Binding {
	if m.filter.Typing {
		return m.filter.Keys()
	}
	return m.filter.Arrange(append(m.commands().Keys(), m.table.Keys()...))
}

// open shows the link for sharing, or the attempt to create it.
func (m *Model) open() tea.Cmd {
	switch l, ok := m.selected(); {
	case !ok:
		return m.Warn("No link is selected.")
	case l.CreatedLink == nil:
		return nav.Open(nav.Attempt{ID: l.ID})
	default:
		return nav.Open(nav.ShareOf(l.Attempt))
	}
}

// with does something with the selected link, or says why not: one whose creation is unresolved
// is not known.
func (m *Model) with(do func(journal.LinkRecord) tea.Cmd) tea.Cmd {
	switch l, ok := m.selected(); {
	case !ok:
		return m.Warn("No link is selected.")
	case l.CreatedLink == nil:
		return m.Warn(present.NotKnown(ledger.CreateLink) + " Press enter to resolve it.")
	case l.MustBeRead():
		return m.Warn(present.ReadFirst)
	default:
		return do(l)
	}
}

// openRaw shows what the service answered to the creation of the selected link, as it came. One that
// must be read first has its URL in it.
func (m *Model) openRaw() tea.Cmd {
	switch l, ok := m.selected(); {
	case !ok:
		return m.Warn("No link is selected.")
	case l.CreatedLink == nil:
		return nav.Open(nav.Raw{Attempt: l.ID})
	case l.MustBeRead():
		return m.Warn(present.ReadFirst)
	default:
		return nav.Open(nav.Raw{Link: l.CreatedLink.Alias, Attempt: l.ID})
	}
}

// collect takes a payment through a link.
func collect(l journal.LinkRecord) tea.Cmd {
	return nav.Open(nav.Collect{Link: l.CreatedLink, Paid: l.Paid > 0})
}

// copyURL copies the address of the hosted page, unless it was not safe to show.
func (m *Model) copyURL(l journal.LinkRecord) tea.Cmd {
	if l.CreatedLink.Page.IsZero() {
		return m.Warn("This link has no URL that is safe to copy.")
	}
	return m.Copy("URL", l.CreatedLink.Page.String())
}

// copyAlias copies what names a link in a payment.
func (m *Model) copyAlias(l journal.LinkRecord) tea.Cmd {
	return m.Copy("alias", string(l.CreatedLink.Alias))
}

// typeFilter opens the line of the filter, which takes a line from the table.
func (m *Model) typeFilter() tea.Cmd {
	m.filter.Typing = true
	m.layout()
	return nil
}

// Explain is the text of the help page.
func (m *Model) Explain() []string {
	return []string{
		"The links that this user created in this profile, as far back as the journal goes.",
		"All terms of the filter must hold: oak >100 gbp day:7d. A comma is “or”, a - is “not”, a * stands for the rest: name:dues*,oak* -operator:ada. Quote it to search as text.",
		present.QueryFields(m.language),
		"Paid counts the SUCCESSFUL payments made through a link from here. What customers paid on its hosted page is not known here.",
		present.Unresolved + ": " + present.NotKnown(ledger.CreateLink) + " Open its attempt to resolve it.",
		present.Mismatch + ": the service's answer is not what was asked. It cannot be used, and its URL is not copied, until you have read how it differs.",
	}
}
