// Package detail is the screen of one thing, whole: a request, an event, a row of the list, the diagnostic bundle. What it
// says scrolls below a head that stays, and its keys are what can be done with it.
package detail

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/screens/nav"
	"paydesk/ui"
)

// An Of is the thing. Its functions are called in the width that there is.
type Of struct {
	Title    string
	Head     func(w int) []string // stays above the lines; nil for none
	Rule     string               // between both; "" for none
	Lines    func(w int) []string
	Commands func() ui.Commands
	Help     []string
	Left     func() // is called when it is left; nil for nothing
}

// A Model is the screen. Its news and its size are those of the screen that it is a part of, which lays it out again ([Model.Layout])
// when what it says has changed.
type Model struct {
	*ui.Body
	of     Of
	scroll ui.Scroll
	low    bool // the head scrolls too: it leaves too little room for the lines
}

// leastLines are those that the head must leave room for, to stay.
const leastLines = 4

// New makes the screen, as a part of the one with a body.
func New(b *ui.Body, of Of) *Model {
	m := &Model{Body: b, of: of}
	m.Layout()
	return m
}

// Open is the command that opens it over the screen that it is a part of.
func (m *Model) Open() tea.Cmd { return nav.Open(nav.Over{Screen: m}) }

// Init implements [ui.Screen]: the scope is that of the whole screen.
func (m *Model) Init(ui.Scope) tea.Cmd { return nil }

// Layout gives the lines the room that the head leaves, and a line at the foot that says which of them are visible where no rule
// does.
func (m *Model) Layout() {
	head, lines := m.head(), m.of.Lines(m.W)
	h := m.H - len(head)
	if m.of.Rule != "" && len(lines) > 0 {
		h--
	}
	if m.low = len(head) > 0 && h < leastLines; m.low {
		if m.of.Rule != "" && len(lines) > 0 {
			head = append(head, m.Theme.Rule(m.of.Rule, "", m.W))
		}
		h, lines = m.H, append(head, lines...)
	}
	if m.footed() && len(lines) > h && h > 1 {
		h--
	}
	m.scroll.Show(m.W, h, lines)
}

// footed reports whether the position stands at the foot.
func (m *Model) footed() bool { return m.low || m.of.Rule == "" }

func (m *Model) head() []string {
	if m.of.Head == nil {
		return nil
	}
	return m.of.Head(m.W)
}

// Resize implements [ui.Screen].
func (m *Model) Resize(w, h int) {
	m.Body.Resize(w, h)
	m.Layout()
}

// Update implements [ui.Screen].
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	if m.scroll.Update(msg) {
		m.EndNews()
		return nil
	}
	return m.Press(msg, m.of.Commands())
}

// View implements [ui.Screen].
func (m *Model) View() (string, *tea.Cursor) {
	if m.W < 1 || m.H < 1 {
		return "", nil
	}
	var lines []string
	position := ""
	if m.scroll.Overflows() {
		position = m.scroll.Position()
	}
	if !m.low {
		if lines = m.head(); m.of.Rule != "" {
			lines = append(lines, m.Theme.Rule(m.of.Rule, position, m.W))
		}
	}
	lines = append(lines, m.scroll.View())
	if m.footed() && position != "" {
		lines = append(lines, m.Theme.Muted.Render(position))
	}
	return ui.Lines(m.W, m.H, lines...), nil
}

// Title implements [ui.Screen].
func (m *Model) Title() string { return m.of.Title }

// Keys implements [ui.Screen]: those that scroll stand behind the main ones.
func (m *Model) Keys() []key.Binding {
	const behind = 3
	keys := m.of.Commands().Keys()
	return slices.Insert(keys, min(behind, len(keys)), m.scroll.Keys())
}

// Explain is the text of the help page.
func (m *Model) Explain() []string { return m.of.Help }

// Back notes that it is left.
func (m *Model) Back() bool {
	if m.of.Left != nil {
		m.of.Left()
	}
	return false
}
