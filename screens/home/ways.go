package home

import (
	"strconv"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/screens/nav"
	"paydesk/ui"
)

// A way is a screen that a key opens, or enter on its row.
type way struct {
	binding key.Binding
	to      nav.Route
	name    string
	about   string
	more    string // what is done there, for the pane
}

// first sets how many of the ways are shown in any window: those that begin something. The others are the rooms of the
// console.
const first = 3

// toInbox is the key of the inbox, which comes before the rooms that are not always there.
var toInbox = ui.Bind("5", "inbox")

// ways lists the screens that the options offer.
func ways(o Options) []way {
	all := []way{
		{ui.Bind("c", "collect"), nav.Collect{}, "Collect a payment", "by card or bank transfer",
			"Take a payment step by step, up to its final status. Nothing is sent until you have reviewed it."},
		{ui.Bind("n", "new link"), nav.NewLink{}, "Create a payment link", "a page where the customer pays",
			"A link has a page where one customer or many can pay. You can collect a payment through it here, too."},
		{ui.Bind("l", "look up"), nav.Payment{}, "Look up a payment", "check a status by reference",
			"Did they pay? Enter a reference to see the status of a payment, wherever it was made. Nothing is changed."},
	}
	room := func(key string, to nav.Route, name, about, more string) {
		all = append(all, way{ui.Bind(strconv.Itoa(len(all)-first+2), key), to, name, about, more})
	}
	room("transactions", nav.Transactions{}, "Transactions", "all of them, as one list",
		"The service's own list of payments. Those made from here and from elsewhere are in it.")
	room("activity", nav.Activity{}, "Activity", "everything sent from paydesk",
		"What was sent from this machine, what came of it, and what was decided about it.")
	room("links", nav.Links{}, "Links", "payment links created here",
		"The links that were created from here, and how often each was paid.")
	if o.Events != nil {
		room("inbox", nav.Inbox{}, "Inbox", "webhooks that arrived",
			"What the service has posted to this machine, and whether its answers say the same.")
	}
	if o.Profiles {
		room("profiles", nav.Profiles{}, "Profiles", "switch, add or change profiles",
			"A profile is an address of the service, and where its secret key is kept.")
	}
	if o.Sandbox != nil && o.Sandbox() {
		room("sandbox", nav.Sandbox{}, "Sandbox", "decide how payments end",
			"Play the bank and the customer: approve, decline, settle, and make the service fail on purpose.")
	}
	return all
}

// onWays reports whether the mark is on one of the ways.
func (m *Model) onWays() bool { return m.menuItem >= 0 }

// markWay puts the mark on a way, or with -1 on a payment.
func (m *Model) markWay(i int) {
	m.menuItem = min(i, len(m.ways())-1)
	m.table.Blur(m.onWays())
}

// moveWays moves the mark through the ways, and between them and the payments. It reports whether the key was one of
// the mark's.
func (m *Model) moveWays(k tea.KeyPressMsg) bool {
	some := m.table.Len() > 0
	switch name := k.String(); {
	case name == "tab" && m.onWays() && some:
		m.markWay(-1)
	case name == "tab" && !m.onWays():
		m.markWay(0)
	case !m.onWays() && m.table.Beyond(k) == 1:
		m.markWay(0)
	case !m.onWays():
		return false
	case name == "down" || name == "j":
		m.markWay(m.menuItem + 1)
	case (name == "up" || name == "k") && (m.menuItem > 0 || some):
		m.markWay(m.menuItem - 1)
	case name == "end" || name == "G" || name == "pgdown":
		m.markWay(len(m.ways()) - 1)
	case (name == "home" || name == "g" || name == "pgup") && some:
		m.markWay(-1)
		m.table.Update(k)
	case name == "home" || name == "g" || name == "pgup":
		m.markWay(0)
	case name != "up" && name != "k":
		return false
	}
	return true
}

// waysLines draws the ways under their rule, as many as there is room for but the first ones always. The marked one is
// among them. While the mark is on a line of the tour and there is no pane, what to do there stands in their place.
func (m *Model) waysLines(w, h int) []string {
	steps := len(m.steps())
	all, at := m.ways()[steps:], m.menuItem-steps
	if _, pane := m.panes.PaneSize(); pane == 0 && at < 0 && m.onWays() && m.events.n == 0 {
		return m.wayLines(m.ways()[m.menuItem], w)
	}
	n := m.waysShown(h)
	from := 0
	if at >= n {
		from = at - n + 1
	}
	more := ""
	if below := len(all) - from - n; below > 0 {
		more = "↓ " + strconv.Itoa(below) + " more"
	}
	lines := []string{m.Theme.Rule("Menu", more, w)}
	for i, one := range all[from : from+n] {
		mark := " "
		if from+i == at {
			mark = m.Theme.RowMark()
		}
		key, name := m.Theme.Accent.Render(one.binding.Help().Key), one.name
		if one.needs() {
			key, name = " ", m.Theme.Mark(ui.ToneBad, name)
		}
		lines = append(lines, mark+" "+key+"  "+ui.Fit(name, 23)+m.Theme.Muted.Render(one.about))
	}
	return lines
}

// waysShown returns how many ways are drawn in h lines with their rule: the first ones always.
func (m *Model) waysShown(h int) int { return min(max(h-1, m.first()), m.menuWays()) }

// menuWays returns how many ways are in the menu.
func (m *Model) menuWays() int { return len(m.ways()) - len(m.steps()) }
