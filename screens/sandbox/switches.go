package sandbox

import (
	"context"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"paydesk/api/sandbox"
	"paydesk/screens/present"
	"paydesk/ui"
)

// A switchList sets what the specification leaves open.
type switchList struct {
	base
	all []sandbox.Switch
}

func newSwitches(m *Model) *switchList {
	return &switchList{base: newBase(m, "Switches", "Switch", 2,
		ui.Column{Title: "Switch", Width: 22, Grow: true},
		ui.Column{Title: "Value", Width: 16, Grow: true},
		ui.Column{Title: "Default", Width: 14},
	)}
}

func (s *switchList) read() {
	s.all = s.m.view.Switches
	s.setRows(s.all, len(s.all), func(i int) []ui.Cell {
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
	one, _ := ui.Selected(s.table, s.all)
	return one
}

func (s *switchList) foot(w int) []present.Line {
	one, _ := shown(&s.base, s.all)
	accepts := strings.Join(one.Values, ", ")
	if one.Values == nil {
		accepts = "a word of up to 64 characters"
	}
	return s.m.facts(w, fact{rankKeep, "Decides", present.Sentence(one.Does)}, fact{rankWhere, "Accepts", accepts})
}

func (s *switchList) commands() ui.Commands {
	one, next := s.selected(), "next"
	if one.Values == nil {
		next = "type a word"
	}
	return ui.Commands{
		{Key: ui.Bind("enter", next, "enter", "right", "space"), On: true, Do: func() tea.Cmd { return s.cycle(1) }},
		{Key: ui.Bind("←", "previous", "left"), On: one.Values != nil, Do: func() tea.Cmd { return s.cycle(-1) }},
		{Key: ui.Bind("x", "clear"), On: one.Value != one.Default, Do: func() tea.Cmd { return s.set(one.Default) }},
	}
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
	f := ui.NewTextField(s.m.Theme, one.Name, one.Does, ui.Required(), ui.Limit(64), ui.Initial(one.Value))
	box := s.m.sandbox
	return s.m.openEntry(f, "", func(ctx context.Context, word string) error { return box.SetSwitch(ctx, one.Name, word) })
}

// set sets the selected switch, or says why the sandbox does not take the value.
func (s *switchList) set(value string) tea.Cmd {
	box, name := s.m.sandbox, s.selected().Name
	return s.m.act(func(ctx context.Context) error { return box.SetSwitch(ctx, name, value) }, func(err error) tea.Cmd {
		if err != nil {
			return s.m.Warn(explain(err))
		}
		return nil
	})
}
