package activity

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/api/ledger"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/ui"
)

// commands are the keys of the list. A key that cannot be used now says why.
func (m *Model) commands() ui.Commands {
	some := m.list.window.Count > 0
	cs := ui.Commands{
		{Key: ui.Bind("enter", "open"), On: some, Do: m.open},
		{Key: ui.Bind("/", "search"), On: true, Do: m.typeText},
		{Key: ui.Bind("w", "export"), On: some, Do: m.openExport},
	}
	always, also := m.attemptCommands()
	general := ui.Commands{
		{Key: ui.Bind("r", "check"), On: true, Do: m.check},
		{Key: ui.Bind("x", "purge"), On: true, Do: m.openPurge},
	}
	return slices.Concat(cs, also, always, general)
}

// attemptCommands are the keys for the attempt that is selected: those for any, and those for some. Those that
// are shown are for the attempt in the pane: the bar stays as it is while the mark moves.
func (m *Model) attemptCommands() (always, also ui.Commands) {
	a, known := m.inPane()
	some := known || m.list.window.Count > 0
	collect := "collect again"
	if !some {
		collect = "collect"
	}
	also = ui.Commands{
		{Key: ui.Bind("d", "decide"), On: known && m.whyNotDecide(a) == "", Do: m.decide},
		{Key: ui.Bind("p", m.pinLabel(a)), On: known && m.whyNoStatus(a) == "", Do: m.togglePin},
		{Key: ui.Bind("s", "status"), On: known && m.whyNoStatus(a) == "", Do: m.openStatus},
		{Key: ui.Bind("c", collect), On: !some || known && m.whyNotAgain(a) == "", Do: m.collectAgain},
	}
	return ui.Commands{
		{Key: ui.Bind("y", "copy"), On: some, Do: m.copyReference},
		{Key: ui.Bind("v", "raw answers"), On: some && !(known && a.MustBeRead()), Do: m.openRaw},
	}, also
}

// Keys implements [ui.Screen].
func (m *Model) Keys() []key.Binding {
	switch {
	case m.purge != nil:
		return m.purgeKeys()
	case m.filter.text.Typing:
		return m.filter.text.Keys()
	}
	keys := slices.Insert(m.commands().Keys(), 3, m.filter.facets.Keys()...)
	if m.filter.facets.Focused() != nil {
		keys = append(m.filter.facets.Keys(), m.commands()[1:].Keys()...) // enter goes back to the list
	}
	return append(keys, m.list.table.Keys()...)
}

// Explain is the text of the help page.
func (m *Model) Explain() []string {
	switch {
	case m.purge != nil:
		return []string{"Deletes attempts older than this, with their histories, in all profiles. Unresolved attempts are always kept."}
	}
	return []string{
		"Everything sent from this computer, newest first: to the service that is connected, whichever profile sent it. The first part of the filter shows all services.",
		"/ searches the newest attempts first. Once it has found 1,000, it searches further as you scroll down; an export has all of them.",
		"All terms of a search must hold: failed gbp >100 day:7d. A comma is “or”, a - is “not”, a * stands for the rest: status:failed,pending -operator:ada reference:5e62*. Quote it to search as text.",
		present.QueryFields(m.filter.language),
		"email: and phone: compare keyed hashes, since the journal has no customer data: an address finds the same mailbox (ada+shop@ is ada@), a number the same last nine digits. An attempt without one matches neither them nor their opposite; what the first version recorded matches only as it was typed then.",
		"r asks the service about the payments in the window that are not final, and reads all rows again.",
		"tab goes through the parts of the filter above the list, and ←/→ choose among the values that occur, which become terms of the search. Status is the payment's; outcome is the request's, with what was decided about it.",
		present.Unresolved + ": " + present.NotKnown(ledger.Initiate) + " Open it and find out before sending it again.",
		present.AgainHelp,
	}
}

// open shows the selected attempt on its own screen.
func (m *Model) open() tea.Cmd {
	a, some := m.selected()
	if !some {
		return m.noneSelected()
	}
	return nav.Open(nav.Attempt{ID: a.ID})
}

// noneSelected returns why a key for an attempt does nothing.
func (m *Model) noneSelected() tea.Cmd { return m.Notify("No attempt is selected.") }

// whyElsewhere returns why nothing can be done here about an attempt that was sent to another service, which the one that is
// connected knows nothing of; "" for one of this service.
func (m *Model) whyElsewhere(a ledger.Attempt) string {
	if m.options.Here().IsSameService(a.Destination) {
		return ""
	}
	return present.Sentence("sent "+present.Elsewhere(m.options.Here(), a.Destination)) + " Open a profile of that service to continue."
}

// whyNoStatus returns why the payment of an attempt cannot be watched from here; "" when it can be.
func (m *Model) whyNoStatus(a ledger.Attempt) string {
	if a.Reference == "" && m.whyElsewhere(a) == "" {
		return "It has no payment reference, and so no status."
	}
	return m.whyElsewhere(a)
}

// openStatus opens the payment's own screen.
func (m *Model) openStatus() tea.Cmd {
	a, some := m.selected()
	if !some {
		return m.noneSelected()
	}
	if why := m.whyNoStatus(a); why != "" {
		return m.Notify(why)
	}
	return nav.Open(nav.Payment{Reference: a.Reference})
}

// togglePin pins the payment to Home, or unpins it.
func (m *Model) togglePin() tea.Cmd {
	a, some := m.selected()
	if !some {
		return m.noneSelected()
	}
	if why := m.whyNoStatus(a); why != "" {
		return m.Notify(why)
	}
	return nav.TogglePin(m.isPinned(a), a.Reference)
}

func (m *Model) isPinned(a ledger.Attempt) bool {
	return m.options.Pinned != nil && m.options.Pinned(a.Reference)
}

// pinLabel returns what the key of the pin does.
func (m *Model) pinLabel(a ledger.Attempt) string {
	if m.isPinned(a) {
		return "unpin"
	}
	return "pin"
}

// whyNotDecide returns why there is nothing to decide about an attempt; "" when there is. A decision can be replaced by another.
func (m *Model) whyNotDecide(a ledger.Attempt) string {
	if a.Outcome != ledger.Unresolved && a.Mismatch.IsZero() && m.whyElsewhere(a) == "" {
		return "There is nothing to decide about this attempt."
	}
	return m.whyElsewhere(a)
}

// decide opens the screen on which a person says what happened.
func (m *Model) decide() tea.Cmd {
	a, some := m.selected()
	if !some {
		return m.noneSelected()
	}
	if why := m.whyNotDecide(a); why != "" {
		return m.Notify(why)
	}
	return nav.Open(nav.Attempt{ID: a.ID, Decide: true})
}

// whyNotAgain returns why an attempt cannot be collected again; "" when it can be.
func (m *Model) whyNotAgain(a ledger.Attempt) string {
	if !a.CameToNothing() {
		return present.NotAgain
	}
	return m.whyElsewhere(a)
}

// collectAgain takes the payment once more, with another card or channel. Where nothing was sent yet it is the first.
func (m *Model) collectAgain() tea.Cmd {
	a, some := m.selected()
	switch {
	case !some && m.list.window.Count == 0:
		return nav.Open(nav.Collect{})
	case !some:
		return m.noneSelected()
	}
	if why := m.whyNotAgain(a); why != "" {
		return m.Notify(why)
	}
	in := m.options.Again(a)
	return nav.Open(nav.Collect{Again: &in})
}

// openRaw shows what the service answered in this session, as it came. A link that must be read first
// has its URL in it.
func (m *Model) openRaw() tea.Cmd {
	a, some := m.selected()
	switch {
	case !some:
		return m.noneSelected()
	case a.MustBeRead():
		return m.Notify(present.ReadFirst)
	}
	to := nav.Raw{Reference: a.Reference, Attempt: a.ID}
	if a.CreatedLink != nil {
		to.Link = a.CreatedLink.Alias
	}
	return nav.Open(to)
}

// copyReference copies the reference of the attempt, or its ID where it has none.
func (m *Model) copyReference() tea.Cmd {
	a, some := m.selected()
	if !some {
		return m.noneSelected()
	}
	value, word := a.Reference.String(), "reference"
	if value == "" {
		value, word = string(a.ID), "attempt ID"
	}
	if !present.Copyable(value) {
		return m.Notify("Cannot copy this " + word + ": it is too long or has unusual characters.")
	}
	return m.Copy(word, value)
}
