package transactions

import (
	"slices"
	"strings"

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
	first, last := ui.Commands{m.On(ui.Bind("enter", "open"), whyNotOpen, m.open), m.Search()}, ui.Commands(nil)
	if read := m.readOnKey(); read.On {
		first = append(first, read)
	} else {
		last = append(last, read)
	}
	some := m.Count() > 0
	all := ui.Commands{
		{Key: ui.Bind("t", m.totals.label()), On: some || m.totals.beside, Do: m.showTotals},
		{Key: ui.Bind("w", "export"), On: some, Do: m.openExport},
	}
	return slices.Concat(first, all, m.rowCommands(), last, ui.Commands{
		{Key: ui.Bind("r", "reload"), On: true, Do: m.readAgain},
		{Key: ui.Bind("v", "raw answer"), On: m.keptPage() > 0, Do: func() tea.Cmd { return m.openRaw(m.keptPage()) }},
	})
}

// readOnKey is the key that reads all rows, and pauses.
func (m *Model) readOnKey() ui.Command {
	return ui.Command{Key: ui.Bind("space", m.readOnLabel()), On: m.state.Phase != listing.Done, Do: m.readOn}
}

// rowCommands are the keys that do something with one row: the open one, or the marked one.
func (m *Model) rowCommands() ui.Commands {
	l, _ := m.Shown()
	shown, _ := reference(l.Transaction)
	opens := func(route func(api.Reference) nav.Route) func(listing.Listed) tea.Cmd {
		return func(l listing.Listed) tea.Cmd {
			r, _ := reference(l.Transaction)
			return nav.Open(route(r))
		}
	}
	return ui.Commands{
		m.On(m.options.Pinned.Key(shown), whyNoReference, func(l listing.Listed) tea.Cmd {
			r, _ := reference(l.Transaction)
			return m.options.Pinned.Toggle(r)
		}),
		m.On(ui.Bind("y", "copy ID"), whyNotCopied, func(l listing.Listed) tea.Cmd { return m.Copy("ID", l.ID.Line(0)) }),
		m.On(ui.Bind("l", "look up"), whyNoReference, opens(func(r api.Reference) nav.Route { return nav.Payment{Reference: r, Ask: true} })),
		m.On(ui.Bind("a", "bank check"), whyNoReference, opens(func(r api.Reference) nav.Route { return nav.Challenge{Reference: r} })),
		m.On(ui.Bind("Y", "copy row"), nil, m.copyRow),
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

// Explain is the text of the help page.
func (m *Model) Explain() []string {
	words := []string{
		"Rows are read as you look at them. space reads all of them in the background, pauses and goes on. Searches, totals and files cover the rows that were read.",
		"Amounts arrive in minor units and are shown in major units, exactly, by the decimals of their currency; where that is impossible, the raw number has an asterisk.",
		"tab sorts by amount within each currency, because amounts in different currencies are not compared. Reading goes on while other screens are open; it pauses when the console locks or gets another key.",
		"The list counts as unchanged if the service reports as many rows at the end as at the beginning, as many different IDs were read, and the first page is still the same.",
	}
	switch s := m.state; {
	case s.Phase == listing.Done && !s.Verdict.Trusted:
		words = append([]string{verdictWords(s, len(present.VerdictFacts(s)))}, words...)
	case len(present.OddPages(s)) > 0:
		words = append([]string{present.Sentence(strings.Join(present.OddPages(s), "; "))}, words...)
	}
	if _, kept := present.Kept(m.state.Kept); kept != "" {
		words = append([]string{kept}, words...)
	}
	purpose := []string{"The service's own list of transactions: search, sort, total and export it. An ID is not necessarily a payment reference."}
	return slices.Concat(purpose, m.found.notes, words, m.SearchHelp())
}
