package payment

import (
	"paydesk/api"
	"paydesk/api/money"
	"paydesk/screens/present"
)

// due is what the payment is for: the requested amount, or else the reported one.
func (m *Model) due() money.Amount {
	if m.ours {
		return m.entry.Requested
	}
	return m.state.Amount.Reported
}

// receipt is what has been paid so far, and due as what answers are compared with.
func (m *Model) receipt() (paid api.Receipt, of api.Asked) {
	return api.Receipt{Amount: m.state.Received, Text: m.state.ReceivedText}, api.Asked{Amount: m.due()}
}

func (m *Model) received(w int) string {
	paid, of := m.receipt()
	return present.Received(m.Theme, paid, of, w)
}

func (m *Model) receivedOf() string { return present.ReceivedOf(m.receipt()) }

// comparable reports whether what was received can be compared with the amount.
func (m *Model) comparable() bool {
	paid := m.state.Received
	return !paid.Currency.IsZero() && paid.Currency == m.due().Currency
}

func (m *Model) receivedAll() bool {
	return m.comparable() && m.state.Received.Minor > 0 && m.state.Received.Minor >= m.due().Minor
}

func (m *Model) receivedPart() bool {
	return m.comparable() && m.state.Received.Minor > 0 && m.state.Received.Minor < m.due().Minor
}

// meaning is what the status means and what to do, where a pending payment has brought money too.
func (m *Model) meaning() (means, action string) {
	means, action = m.shown().State.Meaning(m.circumstances())
	if m.shown().State != api.Pending {
		return means, action
	}
	switch {
	case m.receivedAll():
		return "The full amount was received; the service has still to confirm it.", "Provide nothing yet. Do not charge again."
	case m.receivedPart() && !m.circumstances().AccountExpired():
		return "A part was received: " + m.receivedOf() + ".", "Provide nothing yet. Do not charge the full amount again."
	}
	return means, action
}
