package diagnostics

// Command implements [ui.Commander].
func (m *Model) Command() []string { return []string{"bundle"} }
