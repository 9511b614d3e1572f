package link

import "charm.land/bubbles/v2/key"

type keyMap struct{ home key.Binding }

func newKeyMap() keyMap {
	return keyMap{home: key.NewBinding(key.WithKeys("enter"), key.WithHelp("enter", "leave"))}
}
