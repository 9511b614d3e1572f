package payment

import (
	"paydesk/api"
	"paydesk/api/money"
	"paydesk/screens/present"
)

// due returns what the payment is for: the requested amount, or else the reported one.
func (m *Model) due() money.Amount {
	if m.ours {
		return m.entry.Amount
	}
	return m.state.Amount.Reported
}

// receipt returns what has been paid so far, and due as what answers are compared with.
func (m *Model) receipt() (paid api.Receipt, of api.Asked) {
	return api.Receipt{Amount: m.state.Received, Text: m.state.ReceivedText}, api.Asked{Amount: m.due()}
}

func (m *Model) receivedAll() bool {
	paid, of := m.receipt()
	return present.ReceivedAll(paid, of)
}

func (m *Model) receivedPart() bool {
	paid, of := m.receipt()
	return present.ReceivedPart(paid, of)
}
