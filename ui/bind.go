package ui

import "charm.land/bubbles/v2/key"

// Bind is a binding of some keys, which the help bar and the help page show as shown, and what
// they do.
func Bind(shown, does string, keys ...string) key.Binding {
	if len(keys) == 0 {
		keys = []string{shown}
	}
	return key.NewBinding(key.WithKeys(keys...), key.WithHelp(shown, does))
}
