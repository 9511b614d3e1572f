package ui

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

// Bind is a binding of some keys, which the help bar and the help page show as shown, and what
// they do.
func Bind(shown, does string, keys ...string) key.Binding {
	if len(keys) == 0 {
		keys = []string{shown}
	}
	return key.NewBinding(key.WithKeys(keys...), key.WithHelp(shown, does))
}

// A Command is a key of a screen and what it does. A command that is off is not in the help; its
// key calls Do all the same, which can say why it does nothing.
type Command struct {
	Key key.Binding
	On  bool
	Do  func() tea.Cmd
}

// Commands are the keys of a screen, in the order of the help bar.
type Commands []Command

// Keys lists the bindings for the help.
func (cs Commands) Keys() []key.Binding {
	keys := make([]key.Binding, len(cs))
	for i, c := range cs {
		keys[i] = c.Key
		keys[i].SetEnabled(c.On)
	}
	return keys
}

// Press calls the first command that has the key.
func (cs Commands) Press(k tea.KeyPressMsg) tea.Cmd {
	for _, c := range cs {
		if key.Matches(k, c.Key) {
			return c.Do()
		}
	}
	return nil
}
