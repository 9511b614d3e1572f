package home

import (
	tea "charm.land/bubbletea/v2"

	"paydesk/api/session"
	"paydesk/screens/nav"
)

// canPin reports whether it is a payment that has a reference to ask about.
func canPin(e session.Entry) bool { return e.IsPayment() && e.Reference != "" }

// pinLabel is what the key of the pin does.
func (m *Model) pinLabel(e session.Entry) string {
	if m.payments.IsPinned(e.Reference) {
		return "unpin"
	}
	return "pin"
}

// togglePin pins the payment, or unpins it. It stays where it is listed until the list is sorted the next time.
func (m *Model) togglePin() tea.Cmd {
	e, ok := m.selected()
	if !ok || !canPin(e) {
		return m.Warn("There is no payment with a reference here to pin.")
	}
	return nav.TogglePin(m.payments.IsPinned(e.Reference), e.Reference)
}
