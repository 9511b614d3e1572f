package transactions

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/ui"
)

// What is done with the list besides reading it has files of its own; this one says where it is on the screen.

// tools are the keys of what is done with all rows listed.
func (m *Model) tools() ui.Commands {
	return slices.Concat(m.totalsCommands(), m.exportTools())
}

// side is what is beside the list, or below it: what there is to say of the marked row, or the totals.
func (m *Model) side(row, w, h int) []string {
	if m.totals.beside && m.panes.Beside() {
		return m.totals.besideLines(w, h)
	}
	return m.pane(row, w, h)
}

// An overlay is in place of the list until it is closed: totals without room beside the list, a form, a question.
type overlay interface {
	Update(tea.Msg) tea.Cmd
	View(w, h int) (string, *tea.Cursor)
	Keys() []key.Binding
	Title() string // behind that of the list
	Explain() []string
	Typing() bool
	Close() // when esc or [Model.close] closes it
}

// openOver puts something in place of the list.
func (m *Model) openOver(o overlay) { m.over = o }

// backOver goes one step back in what is in place of the list, and closes it where there is none.
func (m *Model) backOver() {
	if steps, is := m.over.(ui.Backer); is && steps.Back() {
		return
	}
	m.close()
}

// close shows the list again.
func (m *Model) close() {
	if m.over != nil {
		m.over.Close()
		m.over = nil
	}
	m.layout()
}
