package payment

import (
	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/ui"
)

// A prompt asks for a reference.
type prompt struct {
	form  *ui.Form
	field *ui.TextField
}

func newPrompt(t *ui.Theme) *prompt {
	f := ui.NewTextField(t, "Reference", "the short code of a card payment, or the UUID of a transfer",
		ui.Required(), ui.Checked(func(s string) string {
			if _, err := api.ParseReference(s); err != nil {
				return "This cannot be a reference: only letters, digits and . _ : - can, at most 128"
			}
			return ""
		}))
	return &prompt{form: ui.NewForm(t, f), field: f}
}

// lookUp takes what is typed at the prompt.
func (m *Model) lookUp(msg tea.Msg) tea.Cmd {
	m.notice = ui.Notice{}
	if m.prompt.form.Update(msg) != ui.Submitted {
		return nil
	}
	r, err := api.ParseReference(m.prompt.field.Value())
	if err != nil {
		m.prompt.form.SetError(m.prompt.field, "This cannot be a reference.")
		return nil
	}
	m.prompting = false
	return m.open(r)
}
