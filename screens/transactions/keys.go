package transactions

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/export"
	"paydesk/api/listing"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/ui"
)

// commands are the keys of the list. A key that cannot be used now says why.
func (m *Model) commands() ui.Commands {
	if m.long != nil {
		return m.longCommands()
	}
	step := func(to int) func() tea.Cmd { return func() tea.Cmd { return m.step(to - m.currentPage()) } }
	now, filtered := m.currentPage(), m.filter.Active()
	paging := m.shown != nil && !filtered
	cs := ui.Commands{
		{Key: ui.Bind("/", "filter"), On: m.shown != nil, Do: m.typeFilter},
		{Key: ui.Bind("space", m.readOnLabel()), On: m.options.Scans != nil && m.shown != nil, Do: m.readOn},
	}
	cs = append(append(cs, m.tools()...), m.rowCommands()...)
	return append(cs,
		ui.Command{Key: ui.Bind("enter", "details"), On: m.rows.Len() > 0, Do: m.open},
		ui.Command{Key: ui.Bind("]", "next page", "]", "right"), On: paging && m.cache.whyNot(now+1) == "", Do: step(now + 1)},
		ui.Command{Key: ui.Bind("[", "previous page", "[", "left"), On: paging && now > 1, Do: step(now - 1)},
		ui.Command{Key: ui.Bind("#", "go to page"), On: paging, Do: m.askPage},
		ui.Command{Key: ui.Bind("r", "reload"), On: true, Do: m.refresh},
		ui.Command{Key: ui.Bind("{", "first page"), On: paging, Do: step(1)},
		ui.Command{Key: ui.Bind("}", "last page"), On: paging, Do: step(m.cache.last())},
		ui.Command{Key: ui.Bind("v", "raw answer"), On: m.shown != nil || m.problem != nil, Do: m.openRaw},
	)
}

// rowCommands are the keys that do something with one row: the open one, or the marked one.
func (m *Model) rowCommands() ui.Commands {
	row, some := m.row()
	r, isReference := reference(row)
	return ui.Commands{
		{Key: ui.Bind("p", m.pinLabel(r)), On: isReference, Do: m.togglePin},
		{Key: ui.Bind("y", "copy ID"), On: present.Copyable(row.ID.Line(0)) && export.Masked(row.ID) == row.ID.Line(0), Do: m.copyID},
		{Key: ui.Bind("l", "look up"), On: isReference, Do: m.openAs(func(r api.Reference) nav.Route { return nav.Payment{Reference: r} })},
		{Key: ui.Bind("a", "bank check"), On: isReference, Do: m.openAs(func(r api.Reference) nav.Route { return nav.Challenge{Reference: r} })},
		{Key: ui.Bind("Y", "copy row"), On: some, Do: m.openCopy},
	}
}

// row is the open row, or the marked one.
func (m *Model) row() (api.Transaction, bool) {
	if m.opened != nil {
		return m.opened.Transaction, true
	}
	return m.selected()
}

// Keys implements [ui.Screen].
func (m *Model) Keys() []key.Binding {
	switch {
	case m.goTo != nil:
		return []key.Binding{ui.Bind("enter", "go")}
	case m.filter.Typing:
		return m.filter.Keys()
	}
	if m.long != nil {
		return m.longKeys()
	}
	return m.filter.Arrange(append(m.commands().Keys(), m.panes.Keys()...))
}

// Explain is the text of the help page.
func (m *Model) Explain() []string {
	switch {
	case m.long != nil:
		return m.explainLong()
	}
	return append([]string{
		"The service's own list of transactions: turn its pages, or read all of it; filter, total and export it. An ID is not necessarily a payment reference.",
		"Amounts arrive in minor units and are shown in major units, exactly, by the decimals of their currency; where that is impossible, the raw number has an asterisk.",
		"space reads the whole list in the background. A page has as many rows as fit, from 20 to 100.",
		"The filter searches the loaded pages, at most 50. A reload with a filter reads them all again; without one it reads the page shown and drops the rest.",
		"j on the last row goes on to the next page, k on the first back; with a filter they load that page too.",
	}, listing.Language().Explain()...)
}
