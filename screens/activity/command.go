package activity

// Command implements [ui.Commander]: the attempt that is open, or the list with its filter.
func (m *Model) Command() []string {
	if m.detail != nil {
		return []string{"activity", "show", string(m.detail.attempt.ID)}
	}
	words := []string{"activity"}
	if m.filter.everywhere() {
		words = append(words, "--all-services")
	}
	if where := m.filter.text.Value(); where != "" {
		words = append(words, "--where", where)
	}
	return words
}
