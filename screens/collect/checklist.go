package collect

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/ui"
)

// A checklist is for choosing which channels the service is asked about (2.9): those that have a
// name here, and those that it has listed.
type checklist struct {
	table  *ui.Table
	names  []string // as the request has them
	ticked map[string]bool
}

// openChecklist shows the checklist, with what is asked about now ticked.
func (c *channelStep) openChecklist(t *ui.Theme) {
	l := &checklist{table: ui.NewTable(t, ui.Column{Title: "Check", Grow: true}), ticked: map[string]bool{}}
	add := func(name string) {
		if name != "" && !slices.Contains(l.names, name) {
			l.names = append(l.names, name)
		}
	}
	for _, name := range api.KnownChannels {
		add(name)
	}
	for _, ch := range c.answer.Channels {
		add(canonical(string(ch.Alias)))
	}
	for _, name := range c.only {
		add(name)
		l.ticked[name] = true
	}
	c.checklist = l
	l.fill()
}

func (l *checklist) fill() {
	l.table.SetRows(len(l.names), func(i int) []ui.Cell {
		box := "[ ] "
		if l.ticked[l.names[i]] {
			box = "[x] "
		}
		return []ui.Cell{{Text: box + l.names[i]}}
	})
}

// updateChecklist ticks channels, or asks about those that are ticked.
func (m *Model) updateChecklist(msg tea.Msg) tea.Cmd {
	k, ok := msg.(tea.KeyPressMsg)
	c := &m.channel
	l := c.checklist
	switch {
	case !ok || l.table.Update(k):
	case pressed(k, keyTick):
		if name, ok := ui.Selected(l.table, l.names); ok {
			l.ticked[name] = !l.ticked[name]
			l.fill()
		}
	case pressed(k, ui.Submit):
		c.only = slices.DeleteFunc(slices.Clone(l.names), func(name string) bool { return !l.ticked[name] })
		c.checklist = nil
		return m.requestChannels()
	}
	return nil
}

func (m *Model) checklistKeys() []key.Binding {
	return append([]key.Binding{keyTick, keyCheck}, m.channel.checklist.table.Keys()...)
}

func (m *Model) viewChecklist(w, h int) (string, *tea.Cursor) {
	l := m.channel.checklist
	head := ui.Wrap("Which channels is the service asked about? With none ticked it is asked about all that the account may use.", w)
	l.table.Resize(w, min(max(h-len(head)-1, 0), len(l.names)+1))
	return spaced(w, h, head, []string{l.table.View()})
}
