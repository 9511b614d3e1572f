package activity

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/api/journal"
	"paydesk/screens/present"
	"paydesk/ui"
)

// commands are the keys of the list. A key that cannot be used now says why.
func (m *Model) commands() ui.Commands {
	some, services := m.list.window.Count > 0, "all services"
	if m.filter.all {
		services = "this service only"
	}
	cs := ui.Commands{
		{Key: ui.Bind("enter", "open"), On: some, Do: m.open},
		{Key: ui.Bind("/", "text"), On: true, Do: m.typeText},
		{Key: ui.Bind("s/u/d/c/o", "filter", "d"), On: true, Do: m.nextDay},
		{Key: ui.Bind("p", services), On: true, Do: m.toggleAll},
		{Key: ui.Bind("e", "export"), On: some, Do: m.openExport},
		{Key: ui.Bind("r", "check"), On: true, Do: m.check},
		{Key: ui.Bind("x", "purge"), On: true, Do: m.openPurge},
	}
	return append(cs, m.cycleCommands()...)
}

// cycleCommands are the keys that each step through the values of one part of the filter. The help shows them as one,
// with the days: the bar would have no room for the other keys.
func (m *Model) cycleCommands() (cs ui.Commands) {
	f := &m.filter
	for _, c := range []struct {
		key, of string
		value   *string
		values  []string
	}{
		{"s", "status", &f.chosen.status, f.choices.Statuses},
		{"u", "outcome", &f.chosen.outcome, f.choices.Outcomes},
		{"c", "currency", &f.chosen.currency, f.choices.Currencies},
		{"o", "operator", &f.chosen.user, f.choices.Users},
	} {
		cs = append(cs, ui.Command{Key: ui.Bind(c.key, c.of), Do: func() tea.Cmd { return m.cycle(c.value, c.values, c.of) }})
	}
	return cs
}

// detailCommands are the keys while an attempt is open, besides those that scroll.
func (m *Model) detailCommands() ui.Commands {
	to, _ := m.nextRoute(m.detail.attempt)
	return ui.Commands{
		{Key: ui.Bind("enter", routeLabel(to, m.detail.attempt)), On: to != nil, Do: m.openNext},
		{Key: ui.Bind("n", "collect again"), On: m.whyNotAgain() == "", Do: m.collectAgain},
		{Key: ui.Bind("c", "copy"), On: true, Do: m.copyReference},
		{Key: ui.Bind("w", "case file"), On: m.detail.loaded, Do: m.openCase},
		{Key: ui.Bind("r", "reload"), On: true, Do: m.loadDetail},
		{Key: ui.Bind("v", "raw answers"), On: !m.detail.attempt.MustBeRead(), Do: m.openRaw},
	}
}

// Keys implements [ui.Screen].
func (m *Model) Keys() []key.Binding {
	switch {
	case m.disabled():
		return nil
	case m.purge != nil:
		return m.purgeKeys()
	case m.export != nil && m.export.call.Pending():
		return nil
	case m.export != nil:
		return m.export.form.Keys()
	case m.detail != nil:
		return slices.Insert(m.detailCommands().Keys(), 4, m.detail.scroll.Keys())
	case m.filter.text.Typing:
		return m.filter.text.Keys()
	}
	return append(m.commands().Keys(), m.list.table.Keys()...)
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
		"Everything sent from this computer, newest first. At first it lists the service that is connected, whichever profile sent it; p shows the attempts of all, and marks those of another service.",
		"/ searches the newest attempts first. Once it has found 1,000, it searches further as you scroll down; an export has all of them.",
		"r asks the service about the payments in the window that are not final, and reads all rows again.",
		"Each of these keys filters by the next value that occurs, and after the last by none: s status of the payment, u outcome of the request and what was decided about it, d day, c currency, o operator.",
		present.Unresolved + ": " + present.NotKnown(journal.Initiate) + " Open it and find out before sending it again.",
	}
}

const caseFile = "A case file is Markdown for a ticket: what was sent, when and by whom, and what is and is not known " +
	"about it. It contains no card number, key or customer data. Its path is shown and can be changed before it is written."
