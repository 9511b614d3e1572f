package home

import (
	tea "charm.land/bubbletea/v2"

	"paydesk/screens/nav"
)

// notKept says what becomes of the list without a journal.
const notKept = "Journal off: nothing of this is kept after this run."

// decide leads to the decision that ends that a payment needs attention.
func (m *Model) decide() tea.Cmd {
	e, ok := m.selected()
	if !ok || !e.Open() {
		return m.Warn("There is nothing to decide about this one.")
	}
	return nav.Open(nav.Attempt{ID: e.ID, Decide: true})
}
