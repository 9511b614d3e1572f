package transactions

import (
	"context"
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/api/listing"
	"paydesk/screens/present"
	"paydesk/ui"
)

// updateLong handles a key over the rows of a scan.
func (m *Model) updateLong(k tea.KeyPressMsg) tea.Cmd {
	if follow, moved := m.panes.Update(m.Scope, k); moved {
		m.long.again.id = ""
		return tea.Batch(follow, m.askAboutVisible())
	}
	if changed, used := m.long.find.facets.Update(k); used {
		return m.chose(changed)
	}
	return m.commands().Press(k)
}

// longCommands are the keys over the rows of a scan. Those of pages say why they do nothing.
func (m *Model) longCommands() ui.Commands {
	some := m.rows.Len() > 0
	noPages := func() tea.Cmd {
		return m.Notify("What was read is one list, without pages: # goes to a row.")
	}
	cs := ui.Commands{
		{Key: ui.Bind("/", "filter"), On: true, Do: m.typeFilter},
		{Key: ui.Bind("space", m.readOnLabel()), On: m.long.state.Phase != listing.Done, Do: m.readOn},
	}
	cs = append(append(cs, m.tools()...), m.rowCommands()...)
	return append(cs,
		ui.Command{Key: ui.Bind("enter", "details"), On: some, Do: m.open},
		ui.Command{Key: ui.Bind("#", "go to row"), On: some, Do: m.askRow},
		ui.Command{Key: ui.Bind("r", "read again"), On: !m.long.state.Stale(), Do: m.readAgain},
		ui.Command{Key: ui.Bind("x", "drop rows"), On: !m.long.state.Phase.Running(), Do: m.dropRows},
		ui.Command{Key: ui.Bind("]", "next page", "]", "right"), Do: noPages},
		ui.Command{Key: ui.Bind("[", "previous page", "[", "left"), Do: noPages},
		ui.Command{Key: ui.Bind("{", "first page"), Do: noPages},
		ui.Command{Key: ui.Bind("}", "last page"), Do: noPages},
		ui.Command{Key: ui.Bind("v", "raw answer"), Do: m.openRaw},
	)
}

// askRow asks for the number of a row.
func (m *Model) askRow() tea.Cmd {
	n := m.rows.Len()
	if n == 0 {
		return m.Notify("No row has been read yet.")
	}
	return m.askNumber("Go to row", n, func(row int) string {
		if row > n {
			return "The last row listed is " + present.Thousands(n) + "."
		}
		return ""
	}, func(row int) tea.Cmd {
		m.long.again.id = ""
		m.table.Select(row - 1)
		return m.askAboutVisible()
	})
}

// scannedPage is the page on which a scan has read the marked row, unless rows were left out before it.
func (m *Model) scannedPage() int {
	return m.markedPlace()/scanPage + 1
}

// longKeys are the bindings over the rows of a scan.
func (m *Model) longKeys() []key.Binding {
	facets := m.long.find.facets.Keys()
	if m.long.find.facets.Focused() != nil { // enter goes back to the list
		choose, done := facets[0], facets[len(facets)-1]
		others := slices.DeleteFunc(m.commands().Keys(), func(b key.Binding) bool { return slices.Equal(b.Keys(), done.Keys()) })
		return append([]key.Binding{choose, done}, others...)
	}
	facets[0].SetHelp("tab", "sort")
	keys := slices.Insert(m.commands().Keys(), 4, facets...)
	return m.filter.Arrange(append(keys, m.panes.Keys()...))
}

// mostAsked are the rows about which answers are kept.
const mostAsked = 20_000

// askAboutVisible finds out what is known of the payments that are visible, and of some around them, so that a list that
// is scrolled row by row shows it at once.
func (m *Model) askAboutVisible() tea.Cmd {
	if cmd := m.readVisible(); cmd != nil {
		return cmd // and then what is known of them
	}
	l := m.long
	if l == nil || m.mismatchCall.Pending() {
		return nil // what is missing is asked for after that
	}
	from, to := m.table.Visible()
	missing := func(from, to int) (all []api.Reference) {
		for i := max(from, 0); i < min(to, m.rows.Len()); i++ {
			row, _ := m.rows.At(i)
			if r, is := reference(row); is && !l.asked[r] {
				all = append(all, r)
			}
		}
		return all
	}
	if len(missing(from-around/4, to+around/4)) == 0 {
		return nil
	}
	if len(l.asked) > mostAsked {
		clear(l.asked)
	}
	lister, ask := m.lister, missing(from-around/2, to+around/2)
	return m.mismatchCall.Then(func(a ui.Result[map[api.Reference]ledger.Mismatch]) tea.Cmd {
		if m.long != l {
			return nil
		}
		m.learn(ask, a.Value, a.Err)
		m.fill()
		if a.Err != nil { // the next key asks again
			return m.countAgain()
		}
		for _, r := range ask {
			l.asked[r] = true
		}
		return tea.Batch(m.askAboutVisible(), m.countAgain())
	}).Ask(m.Scope, func(ctx context.Context) (map[api.Reference]ledger.Mismatch, error) {
		return lister.Mismatches(ctx, ask)
	})
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
	purpose := []string{"All rows that were read, in the order of the list: filter, sort, total and export them. An ID is not necessarily a payment reference."}
	return slices.Concat(purpose, m.long.find.notes, words, listing.Language().Explain())
}
