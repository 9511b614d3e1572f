package transactions

import (
	"slices"

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
	search, some := m.Search(), m.Count() > 0
	open := m.On(ui.Bind("enter", "details"), whyNotOpen, m.open)
	raw := ui.Command{Key: ui.Bind("v", "raw answer"), On: m.long == nil && (m.shown != nil || m.problem != nil), Do: m.openRaw}
	if m.long != nil {
		noPages := func() tea.Cmd { return m.Notify("What was read is one list, without pages: # goes to a row.") }
		first, done := ui.Commands{search, {Key: ui.Bind("space", m.readOnLabel()), On: true, Do: m.readOn}}, ui.Commands(nil)
		if m.long.state.Phase == listing.Done { // there is nothing to read on
			first, done = first[:1], ui.Commands{{Key: ui.Bind("space", m.readOnLabel()), Do: m.readOn}}
		}
		return slices.Concat(first, m.tools(), m.rowCommands(), done, ui.Commands{
			open,
			{Key: ui.Bind("#", "go to row"), On: some, Do: m.askRow},
			{Key: ui.Bind("r", "read again"), On: !m.long.state.Stale(), Do: m.readAgain},
			{Key: ui.Bind("x", "drop rows"), On: !m.long.state.Phase.Running(), Do: m.dropRows},
			{Key: ui.Bind("]", "next page", "]", "right"), Do: noPages},
			{Key: ui.Bind("[", "previous page", "[", "left"), Do: noPages},
			{Key: ui.Bind("{", "first page"), Do: noPages},
			{Key: ui.Bind("}", "last page"), Do: noPages},
			raw,
		})
	}
	if search.On = m.shown != nil; !search.On {
		search.Do = func() tea.Cmd { return m.Notify("Nothing loaded yet.") }
	}
	step := func(to int) func() tea.Cmd { return func() tea.Cmd { return m.step(to - m.currentPage()) } }
	now, paging := m.currentPage(), m.shown != nil && !m.Searched()
	return slices.Concat(ui.Commands{search, {Key: ui.Bind("space", m.readOnLabel()), On: m.options.Scans != nil && m.shown != nil, Do: m.readOn}},
		m.tools(), m.rowCommands(), ui.Commands{
			open,
			{Key: ui.Bind("]", "next page", "]", "right"), On: paging && m.cache.whyNot(now+1) == "", Do: step(now + 1)},
			{Key: ui.Bind("[", "previous page", "[", "left"), On: paging && now > 1, Do: step(now - 1)},
			{Key: ui.Bind("#", "go to page"), On: paging, Do: m.askPage},
			{Key: ui.Bind("r", "reload"), On: true, Do: m.refresh},
			{Key: ui.Bind("{", "first page"), On: paging, Do: step(1)},
			{Key: ui.Bind("}", "last page"), On: paging, Do: step(m.cache.last())},
			raw,
		})
}

// tools are the keys of what is done with all rows listed.
func (m *Model) tools() ui.Commands {
	some := m.Count() > 0
	return ui.Commands{
		{Key: ui.Bind("t", m.totals.label()), On: some || m.totals.beside, Do: m.showTotals},
		{Key: ui.Bind("w", "export"), On: some, Do: m.openExport},
	}
}

// rowCommands are the keys that do something with one row: the open one, or the marked one.
func (m *Model) rowCommands() ui.Commands {
	pinned := func(l listing.Listed) bool {
		r, _ := reference(l.Transaction)
		return m.options.Pinned != nil && m.options.Pinned(r)
	}
	pin := "pin"
	if l, some := m.Shown(); some && pinned(l) {
		pin = "unpin"
	}
	opens := func(route func(api.Reference) nav.Route) func(listing.Listed) tea.Cmd {
		return func(l listing.Listed) tea.Cmd {
			r, _ := reference(l.Transaction)
			return nav.Open(route(r))
		}
	}
	return ui.Commands{
		m.On(ui.Bind("p", pin), whyNoReference, func(l listing.Listed) tea.Cmd {
			r, _ := reference(l.Transaction)
			return nav.TogglePin(pinned(l), r)
		}),
		m.On(ui.Bind("y", "copy ID"), whyNotCopied, func(l listing.Listed) tea.Cmd { return m.Copy("ID", l.ID.Line(0)) }),
		m.On(ui.Bind("l", "look up"), whyNoReference, opens(func(r api.Reference) nav.Route { return nav.Payment{Reference: r} })),
		m.On(ui.Bind("a", "bank check"), whyNoReference, opens(func(r api.Reference) nav.Route { return nav.Challenge{Reference: r} })),
		m.On(ui.Bind("Y", "copy row"), nil, m.openCopy),
	}
}

// whyNoReference explains why the ID of a row cannot be a payment reference; "" if it can. Only a look-up shows whether it is one.
func whyNoReference(l listing.Listed) string {
	if _, is := reference(l.Transaction); is {
		return ""
	}
	return "This ID cannot be a payment reference."
}

// whyNotCopied says why an ID is not copied: a paste may run in a shell.
func whyNotCopied(l listing.Listed) string {
	id := l.ID.Line(0)
	if export.Masked(l.ID) != id {
		return "Cannot copy this ID: it looks like a card number."
	}
	return present.WhyNotCopied("ID", id)
}

// whyNotOpen says why a row has nothing more to show: without an ID nothing tells it from others.
func whyNotOpen(l listing.Listed) string {
	if l.ID.Empty() {
		return "This row has no ID and cannot be opened."
	}
	return ""
}

// askPage asks for a page number. It is checked against what the latest response said of the number
// of pages, so that a page that cannot exist is not requested.
func (m *Model) askPage() tea.Cmd {
	if m.shown == nil || m.Searched() || m.reloading != nil {
		return m.step(0)
	}
	return m.AskNumber("Go to page", m.cache.last(), m.cache.whyNot, func(n int) tea.Cmd {
		m.onward = 0
		return m.goToPage(n)
	})
}

// askRow asks for the number of a row.
func (m *Model) askRow() tea.Cmd {
	n := m.Count()
	if n == 0 {
		return m.Notify("No row has been read yet.")
	}
	return m.AskNumber("Go to row", n, func(row int) string {
		if row > n {
			return "The last row listed is " + present.Thousands(n) + "."
		}
		return ""
	}, func(row int) tea.Cmd { return m.Go(row - 1) })
}

// Explain is the text of the help page.
func (m *Model) Explain() []string {
	if m.long != nil {
		return m.explainLong()
	}
	return append([]string{
		"The service's own list of transactions: turn its pages, or read all of it; search, total and export it. An ID is not necessarily a payment reference.",
		"Amounts arrive in minor units and are shown in major units, exactly, by the decimals of their currency; where that is impossible, the raw number has an asterisk.",
		"space reads the whole list in the background. A page has as many rows as fit, from 20 to 100.",
		"A search covers the loaded pages, at most 50. A reload with a search reads them all again; without one it reads the page shown and drops the rest.",
		"j on the last row goes on to the next page, k on the first back; with a search they load that page too.",
	}, listing.Language().Explain()...)
}

// explainLong is the text of the help page over the rows of a scan.
func (m *Model) explainLong() []string {
	words := []string{
		"tab sorts by amount within each currency, since amounts of two are not compared. Reading goes on while other screens are open; it pauses when the console locks or gets another key.",
		"The list counts as unchanged if the service reports as many rows at the end as at the beginning, as many different IDs were read, and the first page is still the same.",
		"x drops the rows and lists pages again, once nothing is being read.",
	}
	if s := m.long.state; s.Phase == listing.Done && !s.Verdict.Trusted {
		words = append([]string{verdictWords(s)}, words...)
	}
	purpose := []string{"All rows that were read, in the order of the list: search, sort, total and export them. An ID is not necessarily a payment reference."}
	return slices.Concat(purpose, m.found.notes, words, listing.Language().Explain())
}
