package transfer

import "charm.land/bubbles/v2/key"

type keyMap struct{ watch, account, done, reference key.Binding }

func newKeyMap() keyMap {
	bind := func(k, help string) key.Binding {
		return key.NewBinding(key.WithKeys(k), key.WithHelp(k, help))
	}
	return keyMap{
		watch:     bind("enter", "watch"),
		account:   bind("c", "copy account"),
		done:      bind("d", "has paid"),
		reference: bind("r", "copy reference"),
	}
}
