package activity

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

func bind(keys []string, shown, words string) key.Binding {
	return key.NewBinding(key.WithKeys(keys...), key.WithHelp(shown, words))
}

// A keyMap is the bindings of the list.
type keyMap struct {
	open, text, status, day, export, currency, operator, profiles, purge, refresh key.Binding
}

// keys are the bindings as they are open now.
func (m *Model) keys() keyMap {
	k := keyMap{
		open:       bind([]string{"enter"}, "enter", "open"),
		text:       bind([]string{"/"}, "/", "text"),
		status:     bind([]string{"s"}, "s", "status"),
		day:        bind([]string{"d"}, "d", "day"),
		export:     bind([]string{"e"}, "e", "export"),
		currency:   bind([]string{"c"}, "c", "currency"),
		operator:   bind([]string{"o"}, "o", "operator"),
		profiles: bind([]string{"p"}, "p", "every profile"),
		purge:      bind([]string{"x"}, "x", "purge"),
		refresh:    bind([]string{"r"}, "r", "read anew"),
	}
	if m.filter.all {
		k.profiles.SetHelp("p", "this profile alone")
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
		return []key.Binding{bind([]string{"enter"}, "enter", "keep the filter"), bind([]string{"up", "down"}, "↑/↓", "move")}
	}
	k := m.keys()
	keys := []key.Binding{k.open, k.text, k.status, k.day, k.export, k.currency, k.operator, k.profiles, k.purge, k.refresh}
	return append(keys, m.list.table.Keys()...)
}

func (m *Model) detailKeys() []key.Binding {
	to, _ := m.nextRoute(m.detail.attempt)
	on := bind([]string{"enter"}, "enter", routeLabel(to))
	on.SetEnabled(to != nil)
	write := bind([]string{"w"}, "w", "case file")
	write.SetEnabled(m.detail.loaded)
	scroll := bind([]string{"up", "down", "pgup", "pgdown"}, "↑/↓", "scroll")
	scroll.SetEnabled(len(m.detail.lines) > m.detail.h)
	return []key.Binding{on, bind([]string{"c"}, "c", "copy"), write, scroll, bind([]string{"r"}, "r", "read anew")}
}

// key takes a key of the list. A key that is not open says why.
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

// Explain says in full what the screen is about.
func (m *Model) Explain() []string {
	switch {
	case m.disabled():
		return nil
	case m.purge != nil:
		return []string{"What is older than the days goes, with its timeline, for every profile. An attempt whose outcome nobody knows stays, however old it is."}
	case m.export != nil:
		return []string{"Every row the filter shows is written, with amounts in minor and in major units. Texts that a spreadsheet would take for a formula have a quote character in front."}
	case m.detail != nil:
		return []string{"A case is a Markdown file for a ticket: what was sent, when, by whom, and what is known and not known of it. No card number, key or customer's data is in it."}
	}
	return []string{
		"Listed is what was sent from this computer, and what came of it. s, c, d and o go through the values there are; p shows what was sent from every profile.",
		"NOBODY KNOWS: the answer was lost. It may have been done: open it to look for it before anything is sent again.",
	}
}
