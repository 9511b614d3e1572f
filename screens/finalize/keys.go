package finalize

import "charm.land/bubbles/v2/key"

type keyMap struct{ watch, again key.Binding }

func newKeyMap() keyMap {
	return keyMap{
		watch: key.NewBinding(key.WithKeys("enter"), key.WithHelp("enter", "watch")),
		again: key.NewBinding(key.WithKeys("r"), key.WithHelp("r", "try again")),
	}
}
