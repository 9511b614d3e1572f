package reconcile

// Command implements [ui.Commander]: the list that the payments made here are compared with.
func (m *Model) Command() []string { return []string{"transactions", "--all"} }
