package sandbox

import (
	tea "charm.land/bubbletea/v2"

	"paydesk/ui"
)

func (m *Model) askReset() tea.Cmd {
	m.confirm = ui.NewConfirm(m.theme, ui.Question{
		Title: "Reset the sandbox?",
		Lines: []string{
			"The payments and links of this run and their webhooks are deleted, faults are disarmed, switches go back to default and hostile text is turned off.",
			"Screens that show one of these payments will no longer find it. The clock does not change.",
		},
		Yes: "Reset", No: "Go back",
	})
	return m.confirm.Init(m.scope)
}

// updateConfirm passes a message to the confirmation.
func (m *Model) updateConfirm(msg tea.Msg) tea.Cmd {
	d, cmd := m.confirm.Update(msg)
	switch d {
	case ui.Accepted:
		m.confirm = nil
		m.sandbox.Reset()
		m.notify(ui.ToneNone, "The sandbox was reset.")
	case ui.Declined:
		m.confirm = nil
	}
	return cmd
}
