package transfer

import "charm.land/bubbles/v2/key"

type keyMap struct{ watch, account, done, reference key.Binding }

// newKeyMap leaves the copying of an account number out where there is none to trust.
func newKeyMap(number bool) keyMap {
	bind := func(k, help string) key.Binding {
		return key.NewBinding(key.WithKeys(k), key.WithHelp(k, help))
	}
	k := keyMap{
		watch:     bind("enter", "watch the payment"),
		account:   bind("c", "copy account"),
		done:      bind("d", "customer has paid"),
		reference: bind("r", "copy reference"),
	}
	k.account.SetEnabled(number)
	return k
}
