package sandbox

import (
	tea "charm.land/bubbletea/v2"

	"paydesk/ui"
)

// askReset asks first.
func (m *Model) askReset() tea.Cmd {
	m.confirm = ui.NewConfirm(m.theme, ui.Question{
		Title: "Reset the sandbox?",
		Lines: []string{
			"It forgets the payments and links made in this run, and what came of them; faults are disarmed, switches turned back and hostile text ends.",
			"Screens that show one of its payments will not find it again. The clock stays where it is.",
		},
		Yes: "Reset", No: "Go back",
	})
	return m.confirm.Init(m.scope)
}

// updateConfirm takes a key, a paste or a letter while the reset is asked about.
func (m *Model) updateConfirm(msg tea.Msg) tea.Cmd {
	d, cmd := m.confirm.Update(msg)
	switch d {
	case ui.Accepted:
		m.confirm = nil
		m.sandbox.Reset()
		m.notify(ui.ToneNone, "The sandbox is as it was at the beginning.")
	case ui.Declined:
		m.confirm = nil
	}
	return cmd
}
