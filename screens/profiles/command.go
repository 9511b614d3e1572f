package profiles

// Command implements [ui.Commander].
func (m *Model) Command() []string { return []string{"profile", "list"} }
