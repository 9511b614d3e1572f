package sandbox

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/api/sandbox"
	"paydesk/screens/present"
	"paydesk/ui"
)

var (
	keyTurn    = key.NewBinding(key.WithKeys("enter", "right", "space"), key.WithHelp("enter", "turn"))
	keyBack    = key.NewBinding(key.WithKeys("left"), key.WithHelp("←", "turn back"))
	keyDefault = bind("d", "default")
)

// A switches chooses what the specification leaves open.
type switches struct {
	m     *Model
	table *ui.Table
	all   []sandbox.Quirk
}

func newSwitches(m *Model) *switches {
	return &switches{m: m, table: ui.NewTable(m.theme,
		ui.Column{Title: "Switch", Width: 22, Grow: true},
		ui.Column{Title: "Value", Width: 16, Grow: true},
		ui.Column{Title: "Instead of", Width: 14},
	)}
}

func (s *switches) title() string     { return "Sandbox switches" }
func (s *switches) sheet() *ui.Table  { return s.table }
func (s *switches) rows() int         { return len(s.all) }
func (s *switches) head(int) []string { return nil }

func (s *switches) read() {
	s.all = s.m.box.Switches()
	s.table.SetRows(len(s.all), func(i int) []ui.Cell {
		w := s.all[i]
		cells := []ui.Cell{{Text: w.Name}, {Text: worded(w.Value)}}
		if w.Value != w.Default {
			cells = append(cells, ui.Cell{Text: worded(w.Default)})
		}
		return cells
	})
}

// worded is a value that can be seen.
func worded(value string) string {
	if value == "" {
		return "(none)"
	}
	return value
}

func (s *switches) selected() sandbox.Quirk {
	if i := s.table.Selected(); i >= 0 && i < len(s.all) {
		return s.all[i]
	}
	return sandbox.Quirk{}
}

func (s *switches) foot(w int) []present.Line {
	one := s.selected()
	takes := strings.Join(one.Values, ", ")
	if one.Values == nil {
		takes = "a word of up to 64 signs"
	}
	lines := present.Rows(rankKeep, s.m.fact("Decides", present.Sentence(one.Does), w)...)
	return append(lines, present.Rows(rankWhere, s.m.fact("Takes", takes, w)...)...)
}

func (s *switches) keys() []key.Binding {
	turn, back, usual := keyTurn, keyBack, keyDefault
	one := s.selected()
	if one.Values == nil {
		turn.SetHelp("enter", "type a word")
		back.SetEnabled(false)
	}
	usual.SetEnabled(one.Value != one.Default)
	return append([]key.Binding{turn, back, usual}, s.table.Keys()[:2]...)
}

func (s *switches) press(k tea.KeyPressMsg) tea.Cmd {
	switch {
	case s.table.Update(k):
	case pressed(k, keyTurn):
		return s.turn(1)
	case pressed(k, keyBack):
		return s.turn(-1)
	case pressed(k, keyDefault):
		return s.set(s.selected().Default)
	}
	return nil
}

// turn sets the next value, or asks for a word.
func (s *switches) turn(by int) tea.Cmd {
	one := s.selected()
	if n := len(one.Values); n > 0 {
		i := slices.Index(one.Values, one.Value)
		return s.set(one.Values[(i+by+n)%n])
	}
	if by < 0 {
		return nil
	}
	f := ui.NewTextField(s.m.theme, one.Name, one.Does, ui.Required(), ui.Limit(64), ui.Initial(one.Value))
	return s.m.ask(f, func(word string) (tea.Cmd, string) {
		if err := s.m.box.SetSwitch(one.Name, word); err != nil {
			return nil, present.Sentence(err.Error())
		}
		return nil, ""
	})
}

func (s *switches) set(value string) tea.Cmd {
	if err := s.m.box.SetSwitch(s.selected().Name, value); err != nil {
		return s.m.say(ui.ToneAct, present.Sentence(err.Error()))
	}
	return nil
}
