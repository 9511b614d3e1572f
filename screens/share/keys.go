package share

import "charm.land/bubbles/v2/key"

type keyMap struct{ collect, address, alias key.Binding }

// newKeyMap leaves the copying of an address out where there is none to trust.
func newKeyMap(address bool) keyMap {
	k := keyMap{
		collect: key.NewBinding(key.WithKeys("enter"), key.WithHelp("enter", "collect with this link")),
		address: key.NewBinding(key.WithKeys("c"), key.WithHelp("c", "copy address")),
		alias:   key.NewBinding(key.WithKeys("a"), key.WithHelp("a", "copy alias")),
	}
	k.address.SetEnabled(address)
	return k
}
