package doctor

// Command implements [ui.Commander].
func (m *Model) Command() []string { return []string{"doctor"} }
