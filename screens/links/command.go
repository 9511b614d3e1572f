package links

import "strings"

// Command implements [ui.Commander]: the list with its filter.
func (m *Model) Command() []string {
	words := []string{"link", "list"}
	if where := strings.TrimSpace(m.filter.Value()); where != "" {
		words = append(words, "--where", where)
	}
	return words
}
