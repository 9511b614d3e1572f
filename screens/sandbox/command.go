package sandbox

// Command implements [ui.Commander]: a sandbox like this one, for other programs.
func (m *Model) Command() []string { return []string{"sandbox"} }
