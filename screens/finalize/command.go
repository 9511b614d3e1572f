package finalize

import "paydesk/screens/present"

// Command implements [ui.Commander].
func (m *Model) Command() []string { return present.CommandOn(string(m.reference), "finalize") }
