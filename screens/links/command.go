package links

import "paydesk/api"

// Command implements [ui.Commander]: the link as far as it is filled in.
func (m *Form) Command() []string {
	d := m.input()
	words := []string{"link", "create"}
	for _, f := range [][2]string{{"--name", d.Name}, {"--description", d.Description}, {"--currency", d.Amount.Currency.Code()}} {
		if f[1] != "" {
			words = append(words, f[:]...)
		}
	}
	switch {
	case m.dynamic():
		words = append(words, "--customer-chooses")
	case d.Amount.Minor > 0:
		words = append(words, "--amount", d.Amount.Major())
	}
	if d.Type == api.Reusable {
		words = append(words, "--reusable")
	}
	return words
}

// Request is the creation, for curl, as far as it is filled in.
func (m *Form) Request() (api.Call, bool) {
	return api.Call{Operation: api.OpCreateLink, Link: m.input()}, true
}
