package transactions

import (
	tea "charm.land/bubbletea/v2"

	"paydesk/screens/nav"
	"paydesk/ui"
)

// reconcileTools lead to where the payments made from here are compared with the list.
func (m *Model) reconcileTools() ui.Commands {
	return ui.Commands{{Key: ui.Bind("m", "reconcile"), On: m.options.Made != nil && (m.shown != nil || m.long != nil), Do: m.openReconcile}}
}

func (m *Model) openReconcile() tea.Cmd {
	if m.options.Made == nil {
		return m.Notify("The journal is off for this profile: there are no payments to compare with the list.")
	}
	return nav.Open(nav.Reconcile{})
}
