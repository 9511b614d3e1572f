package transactions

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/ui"
)

// commands are the keys of the list. A key that cannot be used now says why.
func (m *Model) commands() ui.Commands {
	step := func(to int) func() tea.Cmd { return func() tea.Cmd { return m.step(to - m.currentPage()) } }
	now, filtered := m.currentPage(), m.filter.Active()
	paging := m.shown != nil && !filtered
	cs := ui.Commands{
		{Key: ui.Bind("enter", "details"), On: len(m.rows) > 0, Do: m.open},
		{Key: ui.Bind("]", "next page", "]", "right"), On: paging && m.cache.whyNot(now+1) == "", Do: step(now + 1)},
		{Key: ui.Bind("[", "previous page", "[", "left"), On: paging && now > 1, Do: step(now - 1)},
		{Key: ui.Bind("/", "filter"), On: m.shown != nil, Do: m.typeFilter},
		{Key: ui.Bind("#", "go to page"), On: paging, Do: m.askPage},
		{Key: ui.Bind("r", "reload"), On: true, Do: m.refresh},
	}
	cs = append(cs, m.rowCommands()...)
	return append(cs,
		ui.Command{Key: ui.Bind("{", "first page"), On: paging, Do: step(1)},
		ui.Command{Key: ui.Bind("}", "last page"), On: paging, Do: step(m.cache.last())},
		ui.Command{Key: ui.Bind("v", "raw answer"), On: m.shown != nil || m.problem != nil, Do: m.openRaw},
	)
}

// rowCommands are the keys that do something with one row: the open one, or the marked one.
func (m *Model) rowCommands() ui.Commands {
	row, _ := m.row()
	_, isReference := reference(row)
	return ui.Commands{
		{Key: ui.Bind("y", "copy ID"), On: present.Copyable(row.ID.Line(0)), Do: m.copyID},
		{Key: ui.Bind("l", "look up"), On: isReference, Do: m.openAs(func(r api.Reference) nav.Route { return nav.Payment{Reference: r} })},
		{Key: ui.Bind("a", "bank check"), On: isReference, Do: m.openAs(func(r api.Reference) nav.Route { return nav.Challenge{Reference: r} })},
		{Key: ui.Bind("Y", "copy object"), On: !row.Object.Empty(), Do: m.copyObject},
	}
}

// row is the open row, or the marked one.
func (m *Model) row() (api.Row, bool) {
	if m.detail != nil {
		return m.detail.Row, true
	}
	return ui.Selected(m.table, m.rows)
}

// Keys implements [ui.Screen].
func (m *Model) Keys() []key.Binding {
	switch {
	case m.detail != nil:
		return m.detailKeys()
	case m.goTo != nil:
		return []key.Binding{ui.Bind("enter", "go")}
	case m.filter.Typing:
		return m.filter.Keys()
	}
	return m.filter.Arrange(append(m.commands().Keys(), m.table.Keys()...))
}

// Explain is the text of the help page.
func (m *Model) Explain() []string {
	if m.detail != nil {
		return []string{"One transaction, as it was when its page was read, with the whole raw object."}
	}
	return []string{
		"Amounts arrive in minor units and are shown in major units, exactly, by the decimals of their currency; where that is impossible, the raw number has an asterisk.",
		"A page has as many rows as fit, from 20 to 100.",
		"The filter searches the loaded pages, at most 50. A reload with a filter reads them all again; without one it reads the page shown and drops the others.",
		"j on the last row goes on to the next page, k on the first back to the one before; with a filter they add that page to the loaded ones.",
		"An ID is not necessarily a payment reference.",
	}
}
