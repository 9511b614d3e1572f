package secretkey

import (
	"charm.land/bubbles/v2/key"

	"paydesk/ui"
)

type keyMap struct{ again, options, storeAnyway, retry, once, change, leave, cancel key.Binding }

// newKeyMap returns the bindings. While the person types, only control keys are free.
func newKeyMap() keyMap {
	return keyMap{
		again:       ui.Bind("ctrl+r", "retry"),
		options:     ui.Bind("ctrl+o", "options"),
		storeAnyway: ui.Bind("ctrl+k", "store anyway"),
		retry:       ui.Bind("r", "try storing again"),
		once:        ui.Bind("u", "use for this run only"),
		change:      ui.Bind("y", "change the profile"),
		leave:       ui.Bind("n", "leave it as it is"),
		cancel:      ui.Bind("esc", "stop waiting"),
	}
}

// Keys implements [ui.Screen].
func (m *Model) Keys() []key.Binding {
	back := ui.Back
	back.SetEnabled(m.chosen)
	switch m.stage {
	case choosing:
		var all []key.Binding
		for _, w := range m.options() {
			all = append(all, w.binding)
		}
		return all
	case entering:
		k, own := m.entryKeys(), m.form.Keys()
		own[0].SetHelp("enter", "verify it")
		return []key.Binding{own[0], k.storeAnyway, back, k.again, k.options}
	case unlocking:
		return []key.Binding{m.passphraseForm.Keys()[0], m.keys.options}
	case sealing:
		return append(m.passphraseForm.Keys(), ui.Back)
	case deciding:
		return []key.Binding{m.keys.once, m.keys.retry, ui.Back}
	case confirming:
		return []key.Binding{m.keys.change, m.keys.leave}
	case writing:
		return nil
	}
	return []key.Binding{m.keys.cancel}
}
