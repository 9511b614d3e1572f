package ready

// Command implements [ui.Commander]: the profile as it is in the file.
func (m *Model) Command() []string { return []string{"profile", "show", m.o.Profile.Name} }
