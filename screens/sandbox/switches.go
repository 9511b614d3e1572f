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
	keyNext     = key.NewBinding(key.WithKeys("enter", "right", "space"), key.WithHelp("enter", "next"))
	keyPrevious = key.NewBinding(key.WithKeys("left"), key.WithHelp("←", "previous"))
	keyDefault  = ui.Bind("d", "default")
)

// A switchList sets what the specification leaves open.
type switchList struct {
	base
	all []sandbox.Switch
}

func newSwitches(m *Model) *switchList {
	return &switchList{base: newBase(m, "Sandbox switches",
		ui.Column{Title: "Switch", Width: 22, Grow: true},
		ui.Column{Title: "Value", Width: 16, Grow: true},
		ui.Column{Title: "Default", Width: 14},
	)}
}

func (s *switchList) read() {
	s.all = s.m.sandbox.Switches()
	s.setRows(len(s.all), func(i int) []ui.Cell {
		w := s.all[i]
		cells := []ui.Cell{{Text: w.Name}, {Text: visible(w.Value)}}
		if w.Value != w.Default {
			cells = append(cells, ui.Cell{Text: visible(w.Default)})
		}
		return cells
	})
}

// visible makes an empty value visible.
func visible(value string) string {
	if value == "" {
		return "(none)"
	}
	return value
}

func (s *switchList) selected() sandbox.Switch {
	if i := s.table.Selected(); i >= 0 && i < len(s.all) {
		return s.all[i]
	}
	return sandbox.Switch{}
}

func (s *switchList) foot(w int) []present.Line {
	one := s.selected()
	accepts := strings.Join(one.Values, ", ")
	if one.Values == nil {
		accepts = "a word of up to 64 characters"
	}
	lines := s.m.fact(rankKeep, "Decides", present.Sentence(one.Does), w)
	return append(lines, s.m.fact(rankWhere, "Accepts", accepts, w)...)
}

func (s *switchList) keys() []key.Binding {
	next, previous, toDefault := keyNext, keyPrevious, keyDefault
	one := s.selected()
	if one.Values == nil {
		next.SetHelp("enter", "type a word")
		previous.SetEnabled(false)
	}
	toDefault.SetEnabled(one.Value != one.Default)
	return append([]key.Binding{next, previous, toDefault}, s.table.Keys()[:2]...)
}

func (s *switchList) press(k tea.KeyPressMsg) tea.Cmd {
	switch {
	case s.table.Update(k):
	case isKey(k, keyNext):
		return s.cycle(1)
	case isKey(k, keyPrevious):
		return s.cycle(-1)
	case isKey(k, keyDefault):
		return s.set(s.selected().Default)
	}
	return nil
}

// cycle sets the next or previous value, or opens the input line for a word.
func (s *switchList) cycle(by int) tea.Cmd {
	one := s.selected()
	if n := len(one.Values); n > 0 {
		i := slices.Index(one.Values, one.Value)
		return s.set(one.Values[(i+by+n)%n])
	}
	if by < 0 {
		return nil
	}
	f := ui.NewTextField(s.m.theme, one.Name, one.Does, ui.Required(), ui.Limit(64), ui.Initial(one.Value))
	return s.m.openEntry(f, func(word string) (tea.Cmd, string) {
		if err := s.m.sandbox.SetSwitch(one.Name, word); err != nil {
			return nil, present.Sentence(err.Error())
		}
		return nil, ""
	})
}

func (s *switchList) set(value string) tea.Cmd {
	if err := s.m.sandbox.SetSwitch(s.selected().Name, value); err != nil {
		return s.m.notify(ui.ToneAct, present.Sentence(err.Error()))
	}
	return nil
}
