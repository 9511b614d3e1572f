package home

import (
	"cmp"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/session"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/ui"
)

// commands lists the keys, in the order of the help bar: opening, deciding, putting away, collecting, checking all, pinning, the rest of
// what begins something, which is on the screen as well, and copying. Those for what the mark is on follow it as the pane does.
func (m *Model) commands() ui.Commands {
	e, payment := m.shown()
	name, _ := copyable(e)
	failed := payment && m.fails(e)
	cs := ui.Commands{
		{Key: ui.Bind("enter", "open"), On: m.table.Len() > 0 && !m.tooEarly(), Do: m.open},
		{Key: ui.Bind("d", "decide"), On: payment && e.Open(), Do: m.decide},
		{Key: ui.Bind("x", "take off"), On: failed || !payment && m.canPutAway(), Do: m.takeOff},
	}
	for _, w := range Begin {
		cs = append(cs, ui.Command{Key: w.Key, On: true, Do: nav.To(w.To)})
	}
	cs = slices.Insert(cs, len(cs)-len(Begin)+1, ui.Command{Key: ui.Bind("r", "check"), On: true, Do: m.check},
		ui.Command{Key: m.pinned().Key(e.Reference), On: payment && canPin(e), Do: m.togglePin})
	return append(cs, ui.Command{Key: ui.Bind("y", "copy "+name), On: payment && name != "", Do: m.copy}, m.copyAnswers(e, payment))
}

// copy copies what the payment is called.
func (m *Model) copy() tea.Cmd {
	e, ok := m.selected()
	name, text := copyable(e)
	if !ok || text == "" {
		return m.Warn("There is nothing to copy here.")
	}
	return m.Copy(name, text)
}

// canPin reports whether it is a payment that has a reference to ask about.
func canPin(e session.Entry) bool { return e.IsPayment() && e.Reference != "" }

func (m *Model) pinned() nav.Pinned { return m.payments.IsPinned }

// togglePin pins the payment, or unpins it. It stays where it is listed until the list is sorted the next time.
func (m *Model) togglePin() tea.Cmd {
	e, ok := m.selected()
	if !ok || !canPin(e) {
		return m.Warn("There is no payment with a reference here to pin.")
	}
	if m.payments.IsPinned(e.Reference) {
		m.unpinned = e.Reference
	}
	return m.pinned().Toggle(e.Reference)
}

// copyAnswers copies how the marked payment stands; where it is pinned, or the mark is in the menu, how each pinned one does.
func (m *Model) copyAnswers(e session.Entry, payment bool) ui.Command {
	if payment && !m.payments.IsPinned(e.Reference) {
		k := m.subject(e)
		return ui.Command{Key: ui.Bind("Y", "answer"), On: true, Why: k.WhyNoAnswer(), Do: func() tea.Cmd { return m.Copy("answer", k.Answer()) }}
	}
	return ui.Command{Key: ui.Bind("Y", "copy pins"), On: slices.ContainsFunc(m.entries, func(l listing) bool { return l.IsPinned() }), Do: m.copyPins}
}

// pins returns the pinned payments, in the order in which they were pinned.
func (m *Model) pins() (all []session.Entry) {
	for _, l := range m.entries {
		if m.payments.IsPinned(l.Reference) {
			all = append(all, l.Entry)
		}
	}
	slices.SortFunc(all, byPin)
	return all
}

// copyPins copies how each pinned payment stands, a line for each.
func (m *Model) copyPins() tea.Cmd {
	var lines []string
	for _, e := range m.pins() {
		lines = append(lines, cmp.Or(m.subject(e).Answer(), present.PaymentName(e.Reference)+": no status yet."))
	}
	if len(lines) == 0 {
		return m.Warn("No payment is pinned. p pins one, and it is watched.")
	}
	return m.Copy("list of pins", strings.Join(lines, "\n"))
}

// notKept says what becomes of the list without a journal.
const notKept = "Journal off: none of this is kept after this run."

// decide leads to the decision after which a payment no longer needs attention.
func (m *Model) decide() tea.Cmd {
	e, ok := m.selected()
	if !ok || !e.Open() {
		return m.Warn("There is nothing to decide about this one.")
	}
	return nav.Open(nav.Attempt{ID: e.ID, Decide: true})
}

// Command implements [ui.Commander]: the status of what is under way, or else what was done from here.
func (m *Model) Command() []string {
	var open []api.Reference
	for _, l := range m.entries {
		if l.Open() && l.Reference != "" {
			open = append(open, l.Reference)
		}
	}
	if words := present.StatusCommand(open); words != nil {
		return words
	}
	return []string{"activity"}
}
