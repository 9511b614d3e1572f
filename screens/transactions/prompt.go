package transactions

import (
	"strconv"

	tea "charm.land/bubbletea/v2"

	"paydesk/ui"
)

// A prompt asks for a page number.
type prompt struct {
	form  *ui.Form
	field *ui.TextField
}

func newPrompt(t *ui.Theme, c *pageCache) *prompt {
	f := ui.NewTextField(t, "Go to page", "a number from 1 to "+strconv.Itoa(c.last()), ui.Required(), ui.Limit(9),
		ui.Checked(func(s string) string {
			n, err := strconv.ParseUint(s, 10, 31)
			if err != nil {
				return "Enter a whole number from 1."
			}
			return c.whyNot(int(n))
		}))
	return &prompt{form: ui.NewForm(t, f), field: f}
}

// updatePrompt handles input at the prompt.
func (m *Model) updatePrompt(msg tea.Msg) tea.Cmd {
	if m.goTo.form.Update(msg) != ui.Submitted {
		return nil
	}
	n, err := strconv.Atoi(m.goTo.field.Value())
	if err != nil {
		return nil
	}
	m.goTo = nil
	m.layout()
	return m.goToPage(n)
}
