package envcheck

// Command implements [ui.Commander]: the doctor says the same of the environment.
func (m *Model) Command() []string { return []string{"doctor"} }
