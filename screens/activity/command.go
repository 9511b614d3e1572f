package activity

// Command implements [ui.Commander]: the list with its filter.
func (m *Model) Command() []string {
	words := []string{"activity"}
	if m.filter.everywhere() {
		words = append(words, "--all-services")
	}
	if where := m.filter.text.Value(); where != "" {
		words = append(words, "--where", where)
	}
	return words
}
