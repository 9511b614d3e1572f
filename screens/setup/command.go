package setup

// Command implements [ui.Commander]: where the profile that is missing will be.
func (m *Model) Command() []string { return []string{"config", "path"} }
