package transactions

import (
	"fmt"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/screens/present"
	"paydesk/ui"
)

// A filter shows the loaded rows that contain a text. It sends no request, and shows how many
// rows it has searched.
type filter struct {
	form     *ui.Form
	field    *ui.TextField
	typing   bool
	searched int // rows
}

func newFilter(t *ui.Theme) filter {
	f := ui.NewTextField(t, "Filter", "ID, status, currency or amount, in the loaded pages", ui.Limit(80))
	return filter{form: ui.NewForm(t, f), field: f}
}

// active reports whether the filter decides what is shown.
func (f *filter) active() bool { return f.typing || !f.field.Empty() }

func (f *filter) clear() {
	f.typing = false
	f.field.SetValue("")
}

// find is the rows that contain the text, in any letter case.
func (f *filter) find(rows []api.Row, search []string) []api.Row {
	f.searched = len(rows)
	text := strings.ToLower(f.field.Value())
	found := make([]api.Row, 0, len(rows))
	for i, row := range rows {
		if strings.Contains(search[i], text) {
			found = append(found, row)
		}
	}
	return found
}

// updateFilter handles input while the filter is typed.
func (m *Model) updateFilter(msg tea.Msg) tea.Cmd {
	k, pressed := msg.(tea.KeyPressMsg)
	switch {
	case pressed && key.Matches(k, ui.Submit):
		m.filter.typing = false
		m.fill()
	case pressed && m.arrow(k):
	default:
		before := m.filter.field.Value()
		m.filter.form.Update(msg)
		if m.filter.field.Value() != before {
			m.fill()
			m.table.Select(0)
		}
	}
	return nil
}

// arrow moves in the rows found while the filter is typed.
func (m *Model) arrow(k tea.KeyPressMsg) bool {
	switch k.String() {
	case "up", "down", "pgup", "pgdown":
		return m.table.Update(k)
	}
	return false
}

// refilter searches the pages loaded since.
func (m *Model) refilter() {
	if m.filter.active() {
		m.fill()
	}
}

// filterPosition is how many rows were found, and in how many.
func (m *Model) filterPosition() string {
	words := fmt.Sprintf("%s found in %s loaded rows", present.Thousands(len(m.rows)), present.Thousands(m.filter.searched))
	if m.cache.usable {
		return words + ", " + present.Thousands(m.cache.meta.Total) + " in all"
	}
	return words + ", total unknown"
}
