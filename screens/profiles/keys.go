package profiles

import (
	"charm.land/bubbles/v2/key"

	"paydesk/ui"
)

var (
	keyOpen        = ui.Bind("enter", "open")
	keyNew         = ui.Bind("n", "new")
	keyEdit        = ui.Bind("e", "edit")
	keyCopy        = ui.Bind("c", "copy")
	keyDelete      = ui.Bind("d", "delete")
	keyDefault     = ui.Bind("f", "make default")
	keyDoctor      = ui.Bind("w", "run doctor")
	keyReload      = ui.Bind("r", "read again")
	keyProfileOnly = ui.Bind("p", "profile only")
	keyBoth        = ui.Bind("b", "profile and key")
)

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

// Explain returns the text of the help page.
func (m *Model) Explain() []string {
	return []string{
		"A profile names a service, its environment and where its key is. Opening another one closes the current one: forms are cleared and checks stop. That has to wait while a request is in progress.",
		"Changes are written to the file at once; its comments and order stay. Edit the file for the settings that are not shown here.",
		"At the start, --profile NAME or PAYDESK_PROFILE chooses the profile; without them the default one is opened.",
	}
}

var _ ui.Leaver = (*Model)(nil)
