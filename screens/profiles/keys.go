package profiles

import (
	"charm.land/bubbles/v2/key"

	"paydesk/ui"
)

var (
	keyOpen        = bind("enter", "open it")
	keyNew         = bind("n", "new")
	keyEdit        = bind("e", "edit")
	keyCopy        = bind("c", "copy")
	keyDelete      = bind("d", "delete")
	keyDefault     = bind("f", "make default")
	keyDoctor      = bind("w", "what works")
	keyReload      = bind("r", "read anew")
	keyProfileOnly = bind("p", "the profile alone")
	keyBoth        = bind("b", "both")
)

func bind(k, help string) key.Binding {
	return key.NewBinding(key.WithKeys(k), key.WithHelp(k, help))
}

// Keys implements [ui.Screen].
func (m *Model) Keys() []key.Binding {
	switch m.stage {
	case editing:
		return m.form.Keys()
	case copying:
		return m.ask.Keys()[:1]
	case deleting:
		both := keyBoth
		both.SetEnabled(managesKey(m.target))
		return []key.Binding{keyProfileOnly, both}
	case working:
		return nil
	}
	if m.config == nil {
		return []key.Binding{keyReload}
	}
	if _, some := m.selected(); !some {
		return []key.Binding{keyNew, keyReload}
	}
	works := keyDoctor
	works.SetEnabled(m.o.Doctor)
	return append([]key.Binding{keyOpen, keyNew, keyEdit, keyCopy, keyDelete, keyDefault, works, keyReload}, m.table.Keys()...)
}

// Title implements [ui.Screen].
func (m *Model) Title() string {
	switch {
	case m.stage == editing && m.isNew:
		return "New profile"
	case m.stage == editing:
		return "Profile"
	}
	return "Profiles"
}

// Explain is what the help page says besides the keys.
func (m *Model) Explain() []string {
	return []string{
		"A profile names a service, what its keys move and where its key is. Opening another leaves what is open: forms are cleared and nothing is asked any more. It is not done while something is being sent.",
		"Everything is written into the file at once; comments and order in it stay. The parts that are not asked for here are changed there.",
		"At the start --profile NAME or PAYDESK_PROFILE says which profile is opened, else the default one is.",
	}
}

var _ ui.Leaver = (*Model)(nil)
