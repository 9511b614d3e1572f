package keys

import "charm.land/bubbles/v2/key"

type keyMap struct{ enter, again, unchecked, retry, once, cancel key.Binding }

// newKeyMap makes the bindings. While the key is typed only control keys are free.
func newKeyMap(o Options) keyMap {
	bind := func(k, help string) key.Binding {
		return key.NewBinding(key.WithKeys(k), key.WithHelp(k, help))
	}
	store := o.Store.Name()
	return keyMap{
		enter:     bind("enter", "try the key"),
		again:     bind("ctrl+r", "ask "+store),
		unchecked: bind("ctrl+k", "keep unchecked"),
		retry:     bind("r", "try to keep it again"),
		once:      bind("u", "use for this run only"),
		cancel:    bind("esc", "stop waiting"),
	}
}
