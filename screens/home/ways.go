package home

import (
	"strconv"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/screens/nav"
	"paydesk/ui"
)

// A Way is a screen that a key opens, or enter on its row.
type Way struct {
	Key         key.Binding // the zero Binding where only enter opens it
	To          nav.Route
	Name, About string
	More        string // what is done there, for the pane
}

// Begin are the ways that begin something. They are shown in any window, and their keys are the screen's own; those of the rooms
// work on every screen.
var Begin = []Way{
	{ui.Bind("c", "collect"), nav.Collect{}, "Collect a payment", "by card or bank transfer",
		"Take a payment step by step, up to its final status. Nothing is sent until you have reviewed it."},
	{ui.Bind("n", "new link"), nav.NewLink{}, "Create a payment link", "a page where the customer pays",
		"A link has a page where one customer or many can pay. You can collect a payment through it here, too."},
	{ui.Bind("l", "look up"), nav.Payment{}, "Look up a payment", "check a status by reference",
		"Did they pay? Enter a reference to see the status of a payment, wherever it was made. Nothing is changed."},
}

// onWays reports whether the mark is on one of the ways.
func (m *Model) onWays() bool { return m.menuItem >= 0 }

// markWay puts the mark on a way, or with -1 on a payment.
func (m *Model) markWay(i int) {
	m.menuItem = min(i, len(m.ways())-1)
	m.table.Blur(m.onWays())
}

// move moves the mark.
func (m *Model) move(k tea.KeyPressMsg) (tea.Cmd, bool) {
	was := m.table.Selected()
	if m.moveWays(k) {
		m.follow()
		return m.panes.Moved(m.Scope, was), true
	}
	if m.onWays() {
		return nil, false
	}
	cmd, moved := m.panes.Update(m.Scope, k)
	if !moved {
		return nil, false
	}
	m.follow()
	return cmd, true
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
	if _, pane := m.panes.PaneSize(); pane == 0 && at < 0 && m.onWays() && m.events.N == 0 {
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
		key, name := m.Theme.Accent.Render(one.Key.Help().Key), one.Name
		if one.needs() {
			key, name = " ", m.Theme.Mark(ui.ToneBad, name)
		}
		lines = append(lines, mark+" "+key+"  "+ui.Fit(name, 23)+m.Theme.Muted.Render(one.About))
	}
	return lines
}

// waysShown returns how many ways are drawn in h lines with their rule: the first ones always.
func (m *Model) waysShown(h int) int { return min(max(h-1, m.first()), m.menuWays()) }

// menuWays returns how many ways are in the menu.
func (m *Model) menuWays() int { return len(m.ways()) - len(m.steps()) }
