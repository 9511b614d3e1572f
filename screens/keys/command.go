package keys

// Command implements [ui.Commander]: the profile as it is in the file.
func (m *Ready) Command() []string { return []string{"profile", "show", m.o.Profile.Name} }
