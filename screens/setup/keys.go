package setup

import "charm.land/bubbles/v2/key"

type keyMap struct{ demo, profile key.Binding }

func newKeyMap(demo bool) keyMap {
	k := keyMap{
		demo:    key.NewBinding(key.WithKeys("d"), key.WithHelp("d", "demo")),
		profile: key.NewBinding(key.WithKeys("n"), key.WithHelp("n", "new profile")),
	}
	k.demo.SetEnabled(demo)
	return k
}
