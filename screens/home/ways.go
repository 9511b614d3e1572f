package home

import (
	"context"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/ui"
)

// A Way is a screen that a key opens, or enter on its row.
type Way struct {
	Key         key.Binding // the zero Binding where only enter opens it
	To          nav.Route
	Name, About string
	More        string // what is done there, for the pane
}

// Begin are the ways that begin something: the menu.
var Begin = []Way{
	{ui.Bind("c", "collect"), nav.Collect{}, "Collect a payment", "by card or bank transfer",
		"Take a payment step by step, up to its final status. Nothing is sent until you have reviewed it."},
	{ui.Bind("n", "new link"), nav.NewLink{}, "Create a payment link", "a page where customers pay",
		"A link has a page where one customer or many can pay. You can collect a payment through it here, too."},
	{ui.Bind("l", "look up"), nav.Payment{}, "Look up a payment", "check a status by reference",
		"Did they pay? Enter a reference to see the status of a payment, wherever it was made. Nothing is changed."},
}

const (
	betweenEvents = time.Second     // however fast they arrive
	eventsAfter   = 5 * time.Second // until a store that failed is read again
	disagreeQuery = "verdict:disagrees"
)

// A Disagreement tells how many events the service contradicts, as of a version of what is stored.
type Disagreement struct {
	N       int
	Version uint64
}

// countEvents waits for a while, then until the events have changed, and counts them.
func (m *Model) countEvents(after time.Duration) tea.Cmd {
	disagree, version := m.options.Disagree, m.events.Version
	if disagree == nil {
		return nil
	}
	return m.counting.Then(m.counted).Ask(m.Scope, func(ctx context.Context) (Disagreement, error) {
		select {
		case <-time.After(after):
		case <-ctx.Done():
			return Disagreement{}, ctx.Err()
		}
		return disagree(ctx, version)
	})
}

// counted shows how many there are. The inbox says what is wrong with its store.
func (m *Model) counted(a ui.Result[Disagreement]) tea.Cmd {
	if a.Err != nil {
		return m.countEvents(eventsAfter)
	}
	m.events = a.Value
	m.list(m.mark())
	return tea.Batch(m.readTour(), m.countEvents(betweenEvents))
}

// An item is a row that is no payment: the events that need a person, a line of the tour, or one of the menu.
type item struct {
	Way
	in   section
	done bool                       // a line of the tour is ticked
	open func(to nav.Route) tea.Cmd // nil for no more than that
}

// ways lists the events that need a person, which are above the payments, the lines of the tour, and the menu.
func (m *Model) ways() (all []item) {
	if n := m.events.N; n > 0 {
		all = append(all, item{in: needsYou, Way: Way{
			To: nav.Inbox{Query: disagreeQuery}, Name: present.Count(n, "event disagrees", "events disagree"), About: "the service says otherwise",
			More: "Webhooks claim something other than the service answers. Only its answer counts: check before anyone acts on them.",
		}})
	}
	all = append(all, m.steps()...)
	for _, w := range Begin {
		all = append(all, item{in: sectionMenu, Way: w})
	}
	return all
}

// listed returns how many rows are above the tour and the menu: the events that need a person, and the payments.
func (m *Model) listed() int { return m.lead + len(m.entries) }

// item returns what is in a row of the table that is no payment.
func (m *Model) item(row int) (one item, ok bool) {
	if row >= m.listed() {
		row -= len(m.entries)
	} else if row >= m.lead {
		return one, false
	}
	if row < 0 || row >= len(m.items) {
		return one, false
	}
	return m.items[row], true
}

// openItem opens what the mark is on where that is no payment.
func (m *Model) openItem() tea.Cmd {
	one, ok := m.item(m.table.Selected())
	switch {
	case !ok || m.tooEarly():
		return nil
	case one.open != nil:
		return one.open(one.To)
	}
	return nav.Open(one.To)
}

// itemLine draws one. The tick of a line of the tour has no colour of success: that is a payment's.
func (m *Model) itemLine(one item) string {
	about := m.Theme.Muted.Render(one.About)
	if one.in == sectionTour {
		sign := "○"
		if one.done {
			sign, about = "✓", "done"
		}
		return ui.Fit(sign, 3) + ui.Fit(one.Name, 30) + about
	}
	letter, name := one.Key.Help().Key, one.Name
	if letter == "" { // only enter opens it: the events that need a person
		name = m.Theme.Mark(ui.ToneBad, name)
	}
	return ui.Fit(m.Theme.Accent.Render(letter), 3) + ui.Fit(name, 23) + about
}

// wayLines say what is done on a screen that a way leads to.
func (m *Model) wayLines(one Way, w int) []string {
	return append([]string{m.Theme.Rule(one.Name, "", w)}, ui.Wrap(one.More, w)...)
}

// move moves the mark: by a row or a page, or to what is below the payments, and from there back to the payment that it was on.
func (m *Model) move(k tea.KeyPressMsg) (cmd tea.Cmd, moved bool) {
	was := m.table.Selected()
	if e, ok := m.selected(); ok {
		m.left = e
	}
	switch {
	case k.String() != "tab" || m.listed() == 0:
		cmd, moved = m.panes.Update(m.Scope, k)
	case was < m.listed():
		m.table.Select(m.listed())
		cmd, moved = m.panes.Moved(m.Scope, was), true
	default:
		m.table.Select(m.firstPayment() + max(indexOf(m.left, m.entries), 0))
		cmd, moved = m.panes.Moved(m.Scope, was), true
	}
	if moved {
		m.layout()
		m.follow()
	}
	return cmd, moved
}
