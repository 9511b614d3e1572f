package home

import (
	"charm.land/bubbles/v2/key"

	"paydesk/screens/nav"
)

// A way is a screen one can go to from here.
type way struct {
	binding key.Binding
	to      nav.Route
	name    string
	about   string
}

type keyMap struct {
	ways []way
	open key.Binding
}

func bind(k, help string) key.Binding {
	return key.NewBinding(key.WithKeys(k), key.WithHelp(k, help))
}

func sandboxWay() way {
	return way{bind("ctrl+b", "sandbox"), nav.Sandbox{}, "Sandbox", "decide how payments end"}
}

func newKeyMap() keyMap {
	return keyMap{
		ways: []way{
			{bind("c", "collect"), nav.Collect{}, "Collect a payment", "card or transfer, to the end"},
			{bind("l", "link"), nav.NewLink{}, "Create a payment link", "a page where the customer pays"},
			{bind("p", "payment"), nav.Payment{}, "Look up a payment", "did they pay? by its reference"},
			{bind("t", "transactions"), nav.Transactions{}, "Transactions", "everything, page by page"},
		},
		open: key.NewBinding(key.WithKeys("enter"), key.WithHelp("enter", "open")),
	}
}

// Keys implements [ui.Screen]; enter and the table's keys are left out while there is
// nothing to open.
func (m *Model) Keys() []key.Binding {
	var keys []key.Binding
	for _, w := range m.keys.ways {
		if w.to == (nav.Sandbox{}) { // the console has a key for it on every screen
			continue
		}
		keys = append(keys, w.binding)
	}
	if len(m.entries) == 0 {
		return keys
	}
	return append(append([]key.Binding{m.keys.open}, keys...), m.table.Keys()...)
}
