package sandbox

import (
	tea "charm.land/bubbletea/v2"

	"paydesk/ui"
)

// An entry is an input line over the panel.
type entry struct {
	form  *ui.Form
	field *ui.TextField
	// submit handles the line, or returns what is wrong with it.
	submit func(string) (tea.Cmd, string)
}

func (m *Model) openEntry(f *ui.TextField, submit func(string) (tea.Cmd, string)) tea.Cmd {
	m.entry = &entry{ui.NewForm(m.theme, f), f, submit}
	return nil
}

// updateEntry passes a key or a paste to the line.
func (m *Model) updateEntry(msg tea.Msg) tea.Cmd {
	e := m.entry
	if e.form.Update(msg) != ui.Submitted {
		return nil
	}
	cmd, wrong := e.submit(e.field.Value())
	if wrong != "" {
		e.form.SetError(e.field, wrong)
		return nil
	}
	m.entry = nil
	return cmd
}

// viewEntry draws the input line below other lines.
func (m *Model) viewEntry(lines []string) (string, *tea.Cursor) {
	if len(lines) > 0 {
		lines = append(lines, "")
	}
	return ui.Below(m.w, m.h, lines, m.entry.form.View)
}
