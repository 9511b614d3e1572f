package links

import "charm.land/bubbles/v2/key"

type keyMap struct{ open, collect, copyAddress, filter, again, move, keep key.Binding }

func newKeyMap() keyMap {
	bind := func(k, words string) key.Binding { return key.NewBinding(key.WithKeys(k), key.WithHelp(k, words)) }
	return keyMap{
		open:        bind("enter", "share"),
		collect:     bind("c", "collect"),
		copyAddress: bind("y", "copy address"),
		filter:      bind("/", "filter"),
		again:       bind("r", "read again"),
		move:        key.NewBinding(key.WithKeys("up", "down", "pgup", "pgdown"), key.WithHelp("↑/↓", "move")),
		keep:        bind("enter", "keep the filter"),
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
		k.open.SetHelp("enter", "the attempt")
	}
	k.collect.SetEnabled(any && l.CreatedLink != nil)
	k.copyAddress.SetEnabled(any && l.CreatedLink != nil && !l.CreatedLink.Page.IsZero())
	return append([]key.Binding{k.open, k.collect, k.copyAddress, k.filter, k.again}, m.table.Keys()...)
}

// Explain is what the help page says besides the keys.
func (m *Model) Explain() []string {
	return []string{
		"Listed are the links that were created from consoles of this user, in this profile, as far back as the journal goes.",
		"Paid counts the payments through a link that were made from here and are SUCCESSFUL. What customers paid on its hosted page is not known here.",
		"NOBODY KNOWS: the answer to the creation was lost. Its attempt shows what can be done.",
	}
}
