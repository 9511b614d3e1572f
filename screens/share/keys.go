package share

import "charm.land/bubbles/v2/key"

type keyMap struct{ collect, address, alias key.Binding }

func newKeyMap() keyMap {
	return keyMap{
		collect: key.NewBinding(key.WithKeys("enter"), key.WithHelp("enter", "collect with it")),
		address: key.NewBinding(key.WithKeys("c"), key.WithHelp("c", "copy address")),
		alias:   key.NewBinding(key.WithKeys("a"), key.WithHelp("a", "copy alias")),
	}
}
