package attempt

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/screens/fileform"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/ui"
)

// Keys implements [ui.Screen].
func (m *Model) Keys() []key.Binding {
	switch {
	case m.decideCall.Pending() || m.loadCall.Pending() && m.record.at.IsZero():
		return nil
	case m.stage == confirming:
		return m.confirm.Keys()
	case m.stage == entering:
		return m.entryForm().Keys()
	case m.stage == choosing:
		return append(m.choiceCommands().Keys(), m.choiceTable.Keys()...)
	case m.stage == matching:
		return append(m.matchCommands().Keys(), m.search.table.Keys()...)
	}
	if m.record.at.IsZero() {
		return m.commands().Keys()
	}
	const behind = 2 // what is decided
	return m.page.Keys(m.sheet(), behind, m.commands().Keys())
}

// press takes the keys of the page, and then those of the attempt.
func (m *Model) press(k tea.KeyPressMsg) tea.Cmd {
	if m.record.at.IsZero() {
		return m.commands().Press(k)
	}
	why, used := m.page.Press(k, m.sheet())
	switch {
	case why != "":
		return m.Notify(why)
	case used:
		return nil
	}
	return m.commands().Press(k)
}

// commands are the keys of the attempt itself. A key that cannot be used now says why.
func (m *Model) commands() ui.Commands {
	reload := ui.Command{Key: ui.Bind("r", "reload"), On: true, Do: m.reload}
	if m.record.at.IsZero() {
		return ui.Commands{reload}
	}
	a := m.record
	if a.findable() && a.Kind == ledger.Initiate && a.OwnReference != "" && m.whyElsewhere() == "" {
		reload.Key, reload.Do = ui.Bind("r", "check"), m.checkAndReload
	}
	const behind = 4 // what gives up, and what leads elsewhere
	cs := m.actions()
	return append(slices.Insert(cs, len(cs)-behind, reload),
		ui.Command{Key: ui.Bind("y", "copy"), On: true, Do: m.copy},
		ui.Command{Key: ui.Bind("Y", "copy attempt ID"), On: a.Reference != "", Do: m.copyID},
		ui.Command{Key: ui.Bind("v", "raw answers"), On: !a.MustBeRead(), Do: m.openRaw},
		ui.Command{Key: ui.Bind("w", "case"), On: true, Do: m.openCase})
}

// actions are the keys by which something is found out or decided. The service that is connected knows nothing of an attempt of
// another one.
func (m *Model) actions() ui.Commands {
	a := m.record
	undecided, finalized := a.IsUnresolved(), a.Kind == ledger.Finalize && a.Reference != ""
	opens, canOpen := "payment", a.CreatedLink != nil || a.Reference != ""
	switch {
	case undecided:
		opens, canOpen = "status", finalized
	case a.CreatedLink != nil:
		opens = "link"
	}
	cs := ui.Commands{
		{Key: ui.Bind("enter", opens), On: canOpen, Do: m.open},
		{Key: ui.Bind("d", "decide"), On: len(m.choices()) > 0, Do: m.openChoices},
		{Key: ui.Bind("u", "take back"), On: m.canTakeBack(), Do: m.takeBack},
	}
	if m.canBeTaken() {
		cs = append(cs, m.takeCommand())
	}
	if a.findable() {
		cs = append(cs, ui.Command{Key: ui.Bind("m", "matches"), On: a.Kind == ledger.Initiate, Do: m.openMatches})
	}
	if undecided {
		cs = append(cs, ui.Command{Key: ui.Bind("f", "retry finalize"), On: finalized && m.canRefinalize, Do: m.finalizeAgain})
	}
	remove := ui.Command{Key: ui.Bind("x", "stop following"), On: m.canStopFollowing(), Do: m.stopFollowing}
	if !remove.On && a.Outcome == ledger.Unresolved {
		remove = ui.Command{Key: ui.Bind("x", "give up"), On: a.Decision != ledger.GaveUp, Do: m.giveUp}
	}
	cs = append(cs, remove,
		ui.Command{Key: ui.Bind("s", "status"), On: a.Reference != "", Do: m.openStatus},
		ui.Command{Key: ui.Bind("c", "collect again"), On: m.whyNotAgain() == "", Do: m.collectAgain},
		m.pin())
	if why := m.whyElsewhere(); why != "" {
		for i := range cs {
			cs[i].On, cs[i].Do = false, func() tea.Cmd { return m.Warn(why) }
		}
	}
	return cs
}

// whyElsewhere returns why nothing can be done here about an attempt that was sent to another service; "" for one of this service.
func (m *Model) whyElsewhere() string {
	if m.here.IsSameService(m.record.Destination) {
		return ""
	}
	return "It was sent to another service: open a profile of that one to continue."
}

// openStatus goes to the payment's own screen.
func (m *Model) openStatus() tea.Cmd {
	if m.record.Reference == "" {
		return m.Warn("Only a payment whose reference is known can be opened.")
	}
	return nav.Open(nav.Payment{Reference: m.record.Reference})
}

// whyNotAgain returns why it cannot be collected again, "" if it can.
func (m *Model) whyNotAgain() string {
	if !m.record.CameToNothing() {
		return present.NotAgain
	}
	return ""
}

// collectAgain takes the payment once more, with another card or channel.
func (m *Model) collectAgain() tea.Cmd {
	if why := m.whyNotAgain(); why != "" {
		return m.Warn(why)
	}
	in := m.service.Again(m.record.Attempt)
	return nav.Open(nav.Collect{Again: &in})
}

// pin is the key that pins the payment to home, or unpins it.
func (m *Model) pin() ui.Command {
	r, does := m.record.Reference, "pin"
	pinned := m.service.IsPinned(r)
	if pinned {
		does = "unpin"
	}
	return ui.Command{Key: ui.Bind("p", does), On: r != "", Do: func() tea.Cmd {
		if r == "" {
			return m.Warn("Only a payment whose reference is known can be pinned.")
		}
		return nav.TogglePin(pinned, r)
	}}
}

// reload reads the attempt again; another console may have changed it.
func (m *Model) reload() tea.Cmd {
	m.problem = present.Problem{}
	return m.load()
}

// checkAndReload does what is to be done again: it checks the status by our reference, and reads the attempt.
func (m *Model) checkAndReload() tea.Cmd { return tea.Batch(m.checkOwnReference(), m.load()) }

// openRaw shows what the service answered in this session, as it came. A link that must be read first has its URL in it.
func (m *Model) openRaw() tea.Cmd {
	if m.record.MustBeRead() {
		return m.Warn(present.ReadFirst)
	}
	to := nav.Raw{Reference: m.record.Reference, Attempt: m.record.ID}
	if made := m.record.CreatedLink; made != nil {
		to.Link = made.Alias
	}
	return nav.Open(to)
}

// copyID copies what a person searches for at the provider.
func (m *Model) copyID() tea.Cmd { return m.Copy("attempt ID", string(m.record.ID)) }

// copy copies the reference of its payment, or its ID while that is not known.
func (m *Model) copy() tea.Cmd {
	switch r := m.record.Reference.String(); {
	case r == "":
		return m.copyID()
	case !present.Copyable(r):
		return m.Warn("Cannot copy this reference: it is too long or has unusual characters.")
	default:
		return m.Copy("reference", r)
	}
}

// open goes to the link or the payment that the attempt is known to have made.
func (m *Model) open() tea.Cmd {
	switch a := m.record; {
	case a.CreatedLink != nil:
		return nav.Open(nav.ShareOf(a.Attempt))
	case a.Reference != "" && (!a.IsUnresolved() || a.Kind == ledger.Finalize):
		return nav.Open(nav.Payment{Reference: a.Reference})
	case a.Kind == ledger.CreateLink:
		return m.Warn("No link is known.")
	}
	return m.Warn("It has no reference, so no payment can be opened.")
}

// finalizeAgain leads to the finalization, which asks before it sends. The service may still
// be working on the last one, so that must be a minute old.
func (m *Model) finalizeAgain() tea.Cmd {
	switch a := m.record; {
	case a.Kind != ledger.Finalize || a.Reference == "":
		return nil
	case a.Lease.ByAnother():
		return m.warnTaken()
	case !m.canRefinalize:
		return m.Warn("Check the status first (enter). You can retry from " + present.DateTime(a.At.Add(api.FinalizeAgain)) + ".")
	}
	return nav.Open(nav.Finalize{Reference: m.record.Reference})
}

// matchCommands are the keys of the possible matches.
func (m *Model) matchCommands() ui.Commands {
	_, some := ui.Selected(m.search.table, m.search.found)
	return ui.Commands{
		{Key: ui.Bind("enter", "use ID"), On: some, Do: func() tea.Cmd { return m.withMatch(m.useMatch) }},
		{Key: ui.Bind("s", "status"), On: some, Do: func() tea.Cmd { return m.withMatch(openPayment) }},
		{Key: ui.Bind("r", "reload"), On: true, Do: m.openMatches},
	}
}

// withMatch does something with the ID of the selected match, where it can be a reference.
func (m *Model) withMatch(do func(api.Reference) tea.Cmd) tea.Cmd {
	match, ok := ui.Selected(m.search.table, m.search.found)
	if !ok {
		return m.Warn("No row is selected.")
	}
	r, err := api.ParseReference(match.ID.Line(0))
	if err != nil {
		return m.Warn("This ID cannot be a payment reference.")
	}
	return do(r)
}

// openPayment checks whether a match is a payment at all, on the screen that watches payments.
func openPayment(r api.Reference) tea.Cmd { return nav.Open(nav.Payment{Reference: r}) }

// useMatch fills in the ID of a match. It is still checked with the service and confirmed.
func (m *Model) useMatch(r api.Reference) tea.Cmd {
	m.offer(r)
	return m.openFound()
}

// offer fills in a reference that the service has named.
func (m *Model) offer(r api.Reference) {
	m.offered = r
	m.reference.SetValue(string(r))
}

// Explain is the text of the help page.
func (m *Model) Explain() []string {
	if m.stage == choosing {
		return m.explainChoices()
	}
	return append(append([]string{"One request that was sent: what came of it, how to find out where that is unknown, and what was decided about it."}, m.explainTaking()...),
		present.Unresolved+": "+present.NotKnown(m.record.Kind)+" So paydesk never sends it again by itself.",
		present.Mismatch+": the service answered something else than was asked, or contradicts its final status. Ask the provider what was charged, then record it (d): that the answer is right, that it was charged as asked, or that it is about a payment that is not yours. u takes any of them back. No mismatch counts as paid here, decided or not.",
		"The attempt ID was created before anything was sent. A payment carries it in its metaData, so that you can find it at the provider; y copies it where no reference is known, Y otherwise.",
		"Possible matches are transactions of the same amount and currency: from all rows, where the whole list was read since it was sent, else from at most 5 pages. They prove nothing: they have no time, and their ID may not be a reference.",
		"r checks the status by our own reference, where one was sent. A status resolves the attempt; a rejection does not.",
		"The alias you enter for a found link is recorded as you typed it: the service has no request to check it. One alias is one link here.",
		"The reference you enter for a found payment is checked before it is recorded: one that the service does not have is rejected.",
		"d lists the decisions that are possible. Each is recorded after a question.",
		present.AgainHelp, fileform.CaseWords,
		"x stops following a payment in progress, such as one that the customer gave up: home lists it no more, and its status is checked only when it is opened.",
		"A decision can be replaced by another, or taken back (u): the latest counts, and all of them stay in the history.",
		"A decision is recorded with your user name and the time. \"Not found\" is available 10 minutes after sending, because a payment can appear late.",
	)
}
