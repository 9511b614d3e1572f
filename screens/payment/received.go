package payment

import (
	"paydesk/api"
	"paydesk/api/money"
	"paydesk/ui"
)

// due is what the payment is for: the requested amount, or else the reported one.
func (m *Model) due() money.Amount {
	if m.ours {
		return m.entry.Requested
	}
	return m.state.Amount.Reported
}

// received is what has been paid so far, of how much; "" where the service does not say. What cannot be
// compared with the amount is marked.
func (m *Model) received(w int) string {
	paid, of := m.state.Received, m.due()
	switch {
	case paid.Currency.IsZero() && m.state.ReceivedText.Empty():
		return ""
	case paid.Currency.IsZero():
		return m.Theme.Mark(ui.ToneAct, m.state.ReceivedText.Line(max(w-10, 1))+" (raw)")
	case paid.Minor < 0, paid.Currency != of.Currency && !of.Currency.IsZero():
		return m.Theme.Mark(ui.ToneAct, paid.String())
	case of.Currency.IsZero():
		return paid.String()
	case paid.Minor > of.Minor:
		more := money.Amount{Minor: paid.Minor - of.Minor, Currency: of.Currency}
		return m.receivedOf() + ": " + more.String() + " more than asked"
	}
	return m.receivedOf()
}

func (m *Model) receivedOf() string { return m.state.Received.Grouped() + " of " + m.due().String() }

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
