package secretkey

// Command implements [ui.Commander]: set asks for the key unseen, as this screen does.
func (m *Model) Command() []string { return []string{"key", "set"} }
