package payment

import (
	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/ui"
)

// A prompt is the form for a reference.
type prompt struct {
	form  *ui.Form
	field *ui.TextField
}

func newPrompt(t *ui.Theme) *prompt {
	f := ui.NewTextField(t, "Reference", "the short code of a card payment, or the UUID of a transfer",
		ui.Required(), ui.Checked(func(s string) string {
			if _, err := api.ParseReference(s); err != nil {
				return "Use 1 to 128 letters, digits, or . _ : -"
			}
			return ""
		}))
	return &prompt{form: ui.NewForm(t, f), field: f}
}

// lookUp passes a message to the prompt, and opens the payment once it is submitted.
func (m *Model) lookUp(msg tea.Msg) tea.Cmd {
	m.News = ui.Notice{}
	if m.prompt.form.Update(msg) != ui.Submitted {
		return nil
	}
	r, _ := api.ParseReference(m.prompt.field.Value()) // the form has checked it
	m.prompting = false
	return m.open(r)
}
