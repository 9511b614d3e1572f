package reconcile

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/listing"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/ui"
)

// commands are the keys. A key that cannot be used now says why.
func (m *Model) commands() ui.Commands {
	if m.options.Journal == nil {
		return nil
	}
	c, some := m.marked()
	_, hasReference := m.reference(c)
	list := ui.Commands{
		{Key: ui.Bind("enter", "open"), On: some && m.about == nil, Do: m.open},
		{Key: ui.Bind("space", m.readLabel()), On: m.whyNotRead() == "", Do: m.read},
		{Key: ui.Bind("s", "status"), On: some && hasReference && m.about == nil, Do: m.openStatus},
	}
	more := "more"
	if m.about != nil {
		list, more = nil, "less"
	}
	return append(list, ui.Commands{
		{Key: ui.Bind("z", more), On: m.result.Reconciliation != nil, Do: m.toggleAbout},
		{Key: ui.Bind("r", "again"), On: m.result.Reconciliation != nil || !m.problem.IsZero(), Do: m.again},
		{Key: ui.Bind("w", "export"), On: some && m.about == nil, Do: m.export},
		{Key: ui.Bind("y", "copy ID"), On: some && m.about == nil, Do: m.copyID},
		{Key: ui.Bind("Y", "copy reference"), On: some && m.about == nil && present.Copyable(string(c.Reference)), Do: m.copyReference},
	}...)
}

// Keys implements [ui.Screen].
func (m *Model) Keys() []key.Binding {
	switch {
	case m.file != nil:
		return m.file.Keys()
	case m.about != nil:
		return append([]key.Binding{m.about.Keys()}, m.commands().Keys()...)
	case len(m.cases()) == 0:
		return m.commands().Keys()
	}
	return append(m.commands().Keys(), m.table.Keys()...)
}

// open goes to the attempt, where a person decides about it.
func (m *Model) open() tea.Cmd {
	c, some := m.marked()
	if !some || m.about != nil {
		return m.Notify("No payment is marked.")
	}
	return nav.Open(nav.Attempt{ID: c.ID})
}

// reference is that of a payment, or the ID of the row that is the payment's.
func (m *Model) reference(c listing.Case) (api.Reference, bool) {
	switch {
	case c.Reference != "":
		return c.Reference, true
	case c.Join == listing.NotJoined || c.Row < 0 || m.result.Reconciliation == nil:
		return "", false
	}
	r, err := api.ParseReference(m.result.Row(c.Row).ID.Line(0))
	return r, err == nil
}

// openStatus goes to the payment's own screen, which asks the service for its status.
func (m *Model) openStatus() tea.Cmd {
	c, some := m.marked()
	r, is := m.reference(c)
	if !some || !is {
		return m.Notify("No reference is known of it: enter opens the attempt.")
	}
	return nav.Open(nav.Payment{Reference: r})
}

func (m *Model) copyID() tea.Cmd {
	c, some := m.marked()
	if !some {
		return m.Notify("No payment is marked.")
	}
	return m.Copy("attempt ID", string(c.ID))
}

func (m *Model) copyReference() tea.Cmd {
	c, some := m.marked()
	if !some || !present.Copyable(string(c.Reference)) {
		return m.Notify("No reference is known of it that could be copied.")
	}
	return m.Copy("reference", string(c.Reference))
}

// readLabel is what the key of reading does now.
func (m *Model) readLabel() string {
	switch {
	case m.state.Phase == listing.Idle:
		return "read all"
	case m.state.Phase.Running():
		return "pause"
	}
	return "go on"
}

// whyNotRead is why reading cannot begin, stop or go on here; "" if it can.
func (m *Model) whyNotRead() string {
	switch {
	case m.about != nil:
		return "z closes this first."
	case m.state.Phase == listing.Done:
		return "The list is read. r in Transactions reads it again."
	case m.state.Stale():
		return "Read before the key was entered. space in Transactions reads it again."
	case m.state.Phase == listing.Paused && m.state.Why == listing.AtLimit:
		return "Transactions asks whether to read on."
	}
	return ""
}

// read reads the list, stops that, or goes on.
func (m *Model) read() tea.Cmd {
	if why := m.whyNotRead(); why != "" {
		return m.Notify(why)
	}
	switch scans := m.options.Scans; {
	case m.state.Phase == listing.Idle:
		scans.Start()
	case m.state.Phase.Running():
		scans.Pause()
	default:
		scans.Resume()
	}
	return nil
}

// again reads the journal again, and compares it with what has been read of the list by now.
func (m *Model) again() tea.Cmd {
	switch {
	case m.compareCall.Pending():
		return m.Notify("Still comparing.")
	case m.state.Phase == listing.Idle:
		return m.Notify("Nothing of the list has been read yet.")
	}
	return m.compare()
}

// toggleAbout opens what was compared and what that cannot know, or closes it.
func (m *Model) toggleAbout() tea.Cmd {
	switch {
	case m.about != nil:
		m.about = nil
	case m.result.Reconciliation == nil:
		return m.Notify("Nothing has been compared yet.")
	default:
		m.about = new(ui.Scroll)
	}
	m.layout()
	return nil
}

// Explain is the text of the help page.
func (m *Model) Explain() []string {
	return append([]string{
		"Compares the payments made from here, as the journal has them, with the rows that were read of the service's list. Payments that agree are counted and not listed.",
		"A payment belongs to the row whose ID is its reference, in exactly that spelling. The service does not say that IDs are references: where none is, payments are compared by amount, currency and status alone.",
		"Amounts and currencies must be equal, but for fees that the service stated. A final status must stay; any other may be followed.",
		"A payment is called missing only where the whole list was read, it stood still meanwhile, and other references were found in it.",
		"Nothing is decided here: enter opens the attempt, and d there records what you found out.",
	}, limits...)
}
