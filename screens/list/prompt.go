package list

import (
	"strconv"

	tea "charm.land/bubbletea/v2"

	"paydesk/ui"
)

// A prompt asks for a number, such as that of a row.
type prompt struct {
	form  *ui.Form
	field *ui.TextField
	do    func(int) tea.Cmd
}

// AskNumber asks for a number from 1 to last; why says why one from 1 cannot be gone to, "" where it can.
func (m *Model[R]) AskNumber(label string, last int, why func(int) string, do func(int) tea.Cmd) tea.Cmd {
	f := ui.NewTextField(m.Theme, label, "a number from 1 to "+strconv.Itoa(last), ui.Required(), ui.Limit(9),
		ui.Checked(func(s string) string {
			n, err := strconv.ParseUint(s, 10, 31)
			if err != nil || n == 0 {
				return "Enter a whole number from 1."
			}
			return why(int(n))
		}))
	m.prompt = &prompt{ui.NewForm(m.Theme, f), f, do}
	m.Layout()
	return nil
}

// answered handles input at the prompt.
func (m *Model[R]) answered(msg tea.Msg) tea.Cmd {
	p := m.prompt
	if p.form.Update(msg) != ui.Submitted {
		return nil
	}
	n, err := strconv.Atoi(p.field.Value())
	if err != nil {
		return nil
	}
	m.prompt = nil
	m.Layout()
	return p.do(n)
}
