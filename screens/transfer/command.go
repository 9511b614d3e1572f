package transfer

import "paydesk/screens/present"

// Command implements [ui.Commander]: nothing is sent for a transfer, which is watched until it has arrived.
func (m *Model) Command() []string {
	return present.CommandOn(string(m.reference), "status", "--watch")
}
