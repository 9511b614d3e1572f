package challenge

import "charm.land/bubbles/v2/key"

type keyMap struct{ done, open, copy, code, redirect, check, present, watch key.Binding }

func newKeyMap() keyMap {
	bind := func(k, help string) key.Binding {
		return key.NewBinding(key.WithKeys(k), key.WithHelp(k, help))
	}
	return keyMap{
		done:     bind("enter", "customer done"),
		open:     bind("o", "open"),
		copy:     bind("c", "copy"),
		code:     bind("q", "QR code"),
		redirect: bind("t", "redirect"),
		check:    bind("a", "ask if needed"),
		present:  bind("p", "page"),
		watch:    bind("w", "watch"),
	}
}
