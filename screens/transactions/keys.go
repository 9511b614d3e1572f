package transactions

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/ui"
)

// commands are the keys of the list. A key that cannot be used now says why.
func (m *Model) commands() ui.Commands {
	step := func(to int) func() tea.Cmd { return func() tea.Cmd { return m.step(to - m.currentPage()) } }
	per := func(by int, around bool) func() tea.Cmd {
		return func() tea.Cmd { return m.rowsPerPage(by, around) }
	}
	now, filtered := m.currentPage(), m.filter.Active()
	paging := m.shown != nil && !filtered
	return ui.Commands{
		{Key: ui.Bind("enter", "details"), On: len(m.rows) > 0, Do: m.open},
		{Key: ui.Bind("n", "next page", "n", "right"), On: paging && m.cache.whyNot(now+1) == "", Do: step(now + 1)},
		{Key: ui.Bind("p", "previous page", "p", "left"), On: paging && now > 1, Do: step(now - 1)},
		{Key: ui.Bind("/", "filter"), On: m.shown != nil, Do: m.typeFilter},
		{Key: ui.Bind("#", "go to page"), On: paging, Do: m.askPage},
		{Key: ui.Bind("s", "rows per page"), On: !filtered, Do: per(1, true)},
		{Key: ui.Bind("r", "reload"), On: true, Do: m.refresh},
		{Key: ui.Bind("[", "first page"), On: paging, Do: step(1)},
		{Key: ui.Bind("]", "last page"), On: paging, Do: step(m.cache.last())},
		{Key: ui.Bind("+", "more rows per page", "+", "="), On: !filtered, Do: per(1, false)},
		{Key: ui.Bind("-", "fewer rows per page"), On: !filtered, Do: per(-1, false)},
		{Key: ui.Bind("v", "raw answer"), On: m.shown != nil || m.problem != nil, Do: m.openRaw},
	}
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
		"The service reports amounts in minor units. They are shown in major units, exactly, by the decimals of their currency; where that is impossible, the raw number is shown with an asterisk.",
		"The filter searches only the loaded pages, at most 50. A reload reads them all again while there is a filter; without one it reads the page shown and drops the others.",
		"j on the last row goes on to the next page, k on the first row back to the one before; with a filter they add that page to the loaded ones.",
		"A row's ID is not necessarily a payment reference.",
	}
}
