package collect

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/screens/detail"
	"paydesk/screens/nav"
	"paydesk/ui"
)

// A tick is a channel that the service may be asked about, as the request has it.
type tick struct {
	name string
	on   bool
}

// openChecklist opens the choice of which channels the service is asked about (2.9): those that have a
// name here, and those that it has listed. What is asked about now is ticked.
func (m *Model) openChecklist() tea.Cmd {
	all := m.channel.ticks()
	return detail.NewChooser(&m.Body, detail.Rows[tick]{
		Title: "Channels to check", All: func() []tick { return all }, Columns: func() []ui.Column { return []ui.Column{{Title: "Check", Grow: true}} },
		Cells: func(t tick) []ui.Cell {
			if t.on {
				return []ui.Cell{{Text: "[x] " + t.name}}
			}
			return []ui.Cell{{Text: "[ ] " + t.name}}
		},
		Head: func(w int) []string {
			return append(ui.Wrap("Tick the channels to ask the service about. With none ticked, it is asked about all that the account may use.", w), "")
		},
		Commands: func(marked tick, _ bool) ui.Commands {
			return ui.Commands{
				{Key: ui.Bind("space", "tick"), On: true, Do: func() tea.Cmd {
					at := slices.Index(all, marked)
					all[at].on = !all[at].on
					return nil
				}},
				{Key: ui.Bind("enter", "check these"), On: true, Do: func() tea.Cmd { return tea.Batch(m.checkOnly(all), nav.Pop) }},
			}
		},
		Help: m.Explain(),
	}).Open(0)
}

// ticks are the channels to choose from.
func (c *channelStep) ticks() (all []tick) {
	names := api.KnownChannels[:]
	for _, ch := range c.answer.Channels {
		names = append(slices.Clip(names), Canonical(string(ch.Alias)))
	}
	for _, name := range append(slices.Clip(names), c.only...) {
		if name != "" && !slices.ContainsFunc(all, func(t tick) bool { return t.name == name }) {
			all = append(all, tick{name, slices.Contains(c.only, name)})
		}
	}
	return all
}

// checkOnly asks about the channels that are ticked.
func (m *Model) checkOnly(all []tick) tea.Cmd {
	m.channel.only = nil
	for _, t := range all {
		if t.on {
			m.channel.only = append(m.channel.only, t.name)
		}
	}
	return m.requestChannels()
}
