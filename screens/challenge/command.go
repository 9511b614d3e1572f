package challenge

import "paydesk/screens/present"

// Command implements [ui.Commander]: the check whether the customer has to authorise the payment.
func (m *Model) Command() []string { return present.CommandOn(string(m.reference), "authenticate") }
