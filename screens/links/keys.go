package links

import (
	"charm.land/bubbles/v2/key"

	"paydesk/screens/present"
)

type keyMap struct{ open, collect, copyAddress, filter, reload, move, keep key.Binding }

func newKeyMap() keyMap {
	bind := func(k, help string) key.Binding { return key.NewBinding(key.WithKeys(k), key.WithHelp(k, help)) }
	return keyMap{
		open:        bind("enter", "share"),
		collect:     bind("c", "collect"),
		copyAddress: bind("y", "copy URL"),
		filter:      bind("/", "filter"),
		reload:      bind("r", "reload"),
		move:        key.NewBinding(key.WithKeys("up", "down", "pgup", "pgdown"), key.WithHelp("↑/↓", "move")),
		keep:        bind("enter", "keep filter"),
	}
}

// Keys implements [ui.Screen].
func (m *Model) Keys() []key.Binding {
	k := m.keys
	if m.typing {
		return []key.Binding{k.keep, k.move}
	}
	l, any := m.selected()
	k.open.SetEnabled(any)
	if any && l.CreatedLink == nil {
		k.open.SetHelp("enter", "attempt")
	}
	k.collect.SetEnabled(any && l.CreatedLink != nil)
	k.copyAddress.SetEnabled(any && l.CreatedLink != nil && !l.CreatedLink.Page.IsZero())
	return append([]key.Binding{k.open, k.collect, k.copyAddress, k.filter, k.reload}, m.table.Keys()...)
}

// Explain is the text of the help page.
func (m *Model) Explain() []string {
	return []string{
		"The links that this user created in this profile, as far back as the journal goes.",
		"Paid counts the SUCCESSFUL payments made through a link from here. What customers paid on its hosted page is not known here.",
		present.Unresolved + ": the response to the creation was lost. Open its attempt to resolve it.",
	}
}
