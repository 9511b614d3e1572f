package activity

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/screens/present"
	"paydesk/ui"
)

// A keyMap is the bindings of the list.
type keyMap struct {
	open, text, status, day, export, currency, operator, profiles, purge, refresh key.Binding
}

// keys are the bindings, of which those are enabled that can be used now.
func (m *Model) keys() keyMap {
	k := keyMap{
		open:     ui.Bind("enter", "open"),
		text:     ui.Bind("/", "text"),
		status:   ui.Bind("s", "status"),
		day:      ui.Bind("d", "day"),
		export:   ui.Bind("e", "export"),
		currency: ui.Bind("c", "currency"),
		operator: ui.Bind("o", "operator"),
		profiles: ui.Bind("p", "all profiles"),
		purge:    ui.Bind("x", "purge"),
		refresh:  ui.Bind("r", "reload"),
	}
	if m.filter.all {
		k.profiles.SetHelp("p", "this profile only")
	}
	k.profiles.SetEnabled(m.filter.profile != "")
	some := m.list.window.total > 0
	k.open.SetEnabled(some)
	k.export.SetEnabled(some)
	c := m.filter.choices
	k.status.SetEnabled(len(c.States) > 0)
	k.currency.SetEnabled(len(c.Currencies) > 0)
	k.operator.SetEnabled(len(c.Users) > 0)
	return k
}

// Keys implements [ui.Screen].
func (m *Model) Keys() []key.Binding {
	switch {
	case m.disabled():
		return nil
	case m.purge != nil:
		return m.purgeKeys()
	case m.export != nil && m.export.call.Pending():
		return nil
	case m.export != nil:
		return m.export.form.Keys()
	case m.detail != nil:
		return m.detailKeys()
	case m.filter.typing:
		return []key.Binding{ui.Bind("enter", "keep filter"), ui.Bind("↑/↓", "move", "up", "down")}
	}
	k := m.keys()
	keys := []key.Binding{k.open, k.text, k.status, k.day, k.export, k.currency, k.operator, k.profiles, k.purge, k.refresh}
	return append(keys, m.list.table.Keys()...)
}

func (m *Model) detailKeys() []key.Binding {
	to, _ := m.nextRoute(m.detail.attempt)
	on := ui.Bind("enter", routeLabel(to))
	on.SetEnabled(to != nil)
	write := ui.Bind("w", "case file")
	write.SetEnabled(m.detail.loaded)
	scroll := ui.Bind("↑/↓", "scroll", "up", "down", "pgup", "pgdown")
	scroll.SetEnabled(len(m.detail.lines) > m.detail.h)
	return []key.Binding{on, ui.Bind("c", "copy"), write, scroll, ui.Bind("r", "reload")}
}

// key handles a key of the list. A key that cannot be used says why.
func (m *Model) key(p tea.KeyPressMsg) tea.Cmd {
	if m.list.table.Update(p) {
		return m.follow()
	}
	k := m.keys()
	pressed := func(b key.Binding) bool { return slices.Contains(b.Keys(), p.String()) }
	f := &m.filter
	switch {
	case pressed(k.open):
		return m.open()
	case pressed(k.text):
		f.typing = true
		m.layout()
	case pressed(k.status):
		return m.cycle(&f.chosen.state, f.choices.States, "status")
	case pressed(k.currency):
		return m.cycle(&f.chosen.currency, f.choices.Currencies, "currency")
	case pressed(k.operator):
		return m.cycle(&f.chosen.user, f.choices.Users, "operator")
	case pressed(k.day):
		f.chosen.day = (f.chosen.day + 1) % days
		return m.refilter()
	case pressed(k.profiles) && f.profile != "":
		return m.toggleAllProfiles()
	case pressed(k.export):
		return m.openExport()
	case pressed(k.purge):
		return m.openPurge()
	case pressed(k.refresh):
		return m.refresh()
	}
	return nil
}

// Explain is the text of the help page.
func (m *Model) Explain() []string {
	switch {
	case m.disabled():
		return nil
	case m.purge != nil:
		return []string{"Deletes attempts older than this, with their timelines, in all profiles. Unresolved attempts are always kept."}
	case m.export != nil:
		return []string{"Writes every attempt that the filter shows, with amounts in minor and in major units. Text that a spreadsheet would read as a formula starts with a quote character."}
	case m.detail != nil:
		return []string{"A case file is Markdown for a ticket: what was sent, when and by whom, and what is and is not known about it. It contains no card number, key or customer data."}
	}
	return []string{
		"Everything sent from this computer, with its outcome. s, c, d and o step through the values that occur; p shows the attempts of all profiles.",
		present.Unresolved + ": the response was lost. It may have been done: open it and find out before sending it again.",
	}
}
