package transactions

import (
	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/screens/nav"
)

// togglePin pins the payment to home, or unpins it. Whether the ID is the reference of one shows with its first check.
func (m *Model) togglePin() tea.Cmd {
	return m.withReference(func(r api.Reference) tea.Cmd { return nav.TogglePin(m.isPinned(r), r) })()
}

func (m *Model) isPinned(r api.Reference) bool { return m.options.Pinned != nil && m.options.Pinned(r) }

// pinLabel is what the key of the pin does.
func (m *Model) pinLabel(r api.Reference) string {
	if m.isPinned(r) {
		return "unpin"
	}
	return "pin"
}
