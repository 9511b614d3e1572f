package keys

import "charm.land/bubbles/v2/key"

type keyMap struct{ again, unchecked, retry, once, cancel key.Binding }

// newKeyMap makes the bindings; store is the store's word. While the key is typed only
// control keys are free.
func newKeyMap(store string) keyMap {
	bind := func(k, help string) key.Binding {
		return key.NewBinding(key.WithKeys(k), key.WithHelp(k, help))
	}
	return keyMap{
		again:     bind("ctrl+r", "ask the "+store+" again"),
		unchecked: bind("ctrl+k", "keep it unchecked"),
		retry:     bind("r", "try to keep it again"),
		once:      bind("u", "use it for this run only"),
		cancel:    bind("esc", "stop waiting"),
	}
}
