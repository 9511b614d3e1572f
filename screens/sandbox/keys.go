package sandbox

import (
	tea "charm.land/bubbletea/v2"

	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/ui"
)

var collect = ui.Bind("c", "collect")

// commands are the keys of the list. Those of the sandbox alone are upper-case, so that no letter means something else
// here than on the other screens. A key whose action is not possible for the selected payment
// says why.
func (l *list) commands() ui.Commands {
	m := l.m
	p, ok := shown(&l.base, l.payments) // so that the help bar waits for the mark to rest, too
	var cs ui.Commands
	for _, a := range l.actions {
		cs = append(cs, ui.Command{Key: a.binding, On: ok && a.disabled(p) == "", Do: func() tea.Cmd { return l.perform(a) }})
	}
	return append(cs, ui.Commands{
		{Key: ui.Bind("P", "pay"), On: ok && p.whyNotPay() == "", Do: l.openPay},
		{Key: collect, On: true, Do: func() tea.Cmd { return nav.Open(nav.Collect{}) }},
		{Key: ui.Bind("F", "fault"), On: true, Do: func() tea.Cmd { return m.open(newFaults(m)) }},
		{Key: ui.Bind("T", "clock"), On: true, Do: func() tea.Cmd { return m.open(newClock(m)) }},
		{Key: ui.Bind("O", "switches"), On: true, Do: func() tea.Cmd { return m.open(newSwitches(m)) }},
		{Key: ui.Bind("W", "webhooks"), On: true, Do: func() tea.Cmd { return m.open(newWebhooks(m)) }},
		m.clearFaults(l.armed),
		{Key: ui.Bind("R", "reset"), On: true, Do: m.askReset},
		{Key: ui.Bind("y", "copy reference"), On: ok && present.Copyable(p.Reference), Do: l.copy},
	}...)
}
