package activity

import (
	"slices"

	"charm.land/bubbles/v2/key"

	"paydesk/api/journal"
	"paydesk/screens/present"
	"paydesk/ui"
)

// commands are the keys of the list. A key that cannot be used now says why.
func (m *Model) commands() ui.Commands {
	some := m.list.window.Count > 0
	cs := ui.Commands{
		{Key: ui.Bind("enter", "open"), On: some, Do: m.open},
		{Key: ui.Bind("/", "search"), On: true, Do: m.typeText},
	}
	always, also := m.attemptCommands()
	general := ui.Commands{
		{Key: ui.Bind("r", "check"), On: true, Do: m.check},
		{Key: ui.Bind("w", "export"), On: some, Do: m.openExport},
		{Key: ui.Bind("x", "purge"), On: true, Do: m.openPurge},
	}
	if m.panes.Beside() { // what comes and goes is in the pane: in the bar it is last, and moves nothing
		return slices.Concat(cs, always, general, also)
	}
	return slices.Concat(cs, also, always, general)
}

// attemptCommands are the keys for the attempt that is selected, or open: those for any, and those for some. Those that
// are shown are for the attempt in the pane: the bar stays as it is while the mark moves.
func (m *Model) attemptCommands() (always, also ui.Commands) {
	a, known := m.inPane()
	if m.detail != nil {
		a, known = m.detail.attempt, true
	}
	some := known || m.list.window.Count > 0
	collect := "collect again"
	if !some {
		collect = "collect"
	}
	also = ui.Commands{
		{Key: ui.Bind("s", "status"), On: known && m.whyNoStatus(a) == "", Do: m.openStatus},
		{Key: ui.Bind("d", "decide"), On: known && m.whyNotDecide(a) == "", Do: m.decide},
		{Key: ui.Bind("c", collect), On: !some || known && m.whyNotAgain(a) == "", Do: m.collectAgain},
		{Key: ui.Bind("p", m.pinLabel(a)), On: known && m.whyNoStatus(a) == "", Do: m.togglePin},
	}
	return ui.Commands{
		{Key: ui.Bind("y", "copy"), On: some, Do: m.copyReference},
		{Key: ui.Bind("v", "raw answers"), On: some && !(known && a.MustBeRead()), Do: m.openRaw},
	}, also
}

// detailCommands are the keys while an attempt is open, besides those that scroll.
func (m *Model) detailCommands() ui.Commands {
	to, _ := m.nextRoute(m.detail.attempt)
	cs := ui.Commands{{Key: ui.Bind("enter", routeLabel(to, m.detail.attempt)), On: to != nil, Do: m.openNext}}
	always, also := m.attemptCommands()
	return append(slices.Concat(cs, also, always),
		ui.Command{Key: ui.Bind("w", "case file"), On: m.detail.loaded, Do: m.openCase},
		ui.Command{Key: ui.Bind("r", "reload"), On: true, Do: m.loadDetail},
	)
}

// Keys implements [ui.Screen].
func (m *Model) Keys() []key.Binding {
	switch {
	case m.disabled():
		return nil
	case m.purge != nil:
		return m.purgeKeys()
	case m.export != nil:
		return m.export.Keys()
	case m.detail != nil:
		return append(m.detailCommands().Keys(), m.detail.scroll.Keys())
	case m.filter.text.Typing:
		return m.filter.text.Keys()
	}
	keys := slices.Insert(m.commands().Keys(), 2, m.filter.facets.Keys()...)
	if m.filter.facets.Focused() != nil {
		keys = append(m.filter.facets.Keys(), m.commands()[1:].Keys()...) // enter goes back to the list
	}
	return append(keys, m.list.table.Keys()...)
}

// Explain is the text of the help page.
func (m *Model) Explain() []string {
	switch {
	case m.disabled():
		return nil
	case m.purge != nil:
		return []string{"Deletes attempts older than this, with their histories, in all profiles. Unresolved attempts are always kept."}
	case m.export != nil && m.export.of != nil:
		return []string{caseFile}
	case m.export != nil:
		return []string{"Writes every attempt that the filter shows, with amounts in minor and in major units. Text that a spreadsheet would read as a formula starts with a quote character."}
	case m.detail != nil:
		return []string{caseFile, present.AgainHelp}
	}
	return []string{
		"Everything sent from this computer, newest first. At first it lists the service that is connected, whichever profile sent it; the first part of the filter shows the attempts of all, and marks those of another service.",
		"/ searches the newest attempts first. Once it has found 1,000, it searches further as you scroll down; an export has all of them.",
		"All terms of a search must hold: failed gbp >100 day:7d. A comma is “or”, a - is “not”, a * stands for the rest: status:failed,pending -operator:ada reference:5e62*. Quotation marks make it text.",
		present.QueryFields(m.filter.language),
		"email: and phone: compare keyed hashes, since the journal has no customer data: an address finds the same mailbox (ada+shop@ is ada@), a number the same last nine digits. An attempt without one matches neither them nor their opposite; what the first version recorded matches only as it was typed then.",
		"r asks the service about the payments in the window that are not final, and reads all rows again.",
		"tab goes through the parts of the filter above the list, and ←/→ choose among the values that occur, which become terms of the search. Status is the payment's; outcome is the request's, with what was decided about it.",
		present.Unresolved + ": " + present.NotKnown(journal.Initiate) + " Open it and find out before sending it again.",
	}
}

const caseFile = "A case file is Markdown for a ticket: what was sent, when and by whom, and what is and is not known " +
	"about it. It contains no card number, key or customer data. Its path is shown and can be changed before it is written."
