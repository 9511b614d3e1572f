package changes

// Command implements [ui.Commander]: what changed between the last two scans.
func (m *Model) Command() []string { return []string{"transactions", "--since-last"} }
