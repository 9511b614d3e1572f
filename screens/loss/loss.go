// Package loss shows what the journal may be missing, from when to when. Nothing is sent until a person has read that,
// and typed a word.
package loss

import (
	tea "charm.land/bubbletea/v2"

	"paydesk/api/journal"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/ui"
)

// A Model is the screen. It keeps the losses that it was opened with: one that is found later is read in its turn.
type Model struct {
	*ui.Confirm
	losses []journal.Loss
	w, h   int
}

// New shows losses.
func New(t *ui.Theme, losses []journal.Loss) *Model {
	q := ui.Question{Title: "Records are missing: send again?", Ruled: true, Yes: "Send again", No: "Send nothing", Typed: "acknowledge"}
	for _, l := range losses {
		q.Lines = append(q.Lines, present.Plain(l.Words()))
	}
	q.Lines = append(q.Lines, "A payment of that time may be unknown here: nothing would warn you before it is charged again. Look for such payments in Transactions first.")
	return &Model{losses: losses, Confirm: ui.NewConfirm(t, q)}
}

// Update implements [ui.Screen].
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	read := func() tea.Msg { return nav.LossRead{Losses: m.losses} }
	return m.Answer(msg, func() tea.Cmd { return read }, func() tea.Cmd { return nav.Pop })
}

// Resize implements [ui.Screen].
func (m *Model) Resize(w, h int) { m.w, m.h = w, h }

// View implements [ui.Screen].
func (m *Model) View() (string, *tea.Cursor) { return m.Confirm.View(m.w, m.h) }

// Title implements [ui.Screen].
func (m *Model) Title() string { return "Missing records" }

// Explain is the help page's text beyond the keys.
func (m *Model) Explain() []string {
	return []string{
		"The journal of this user was damaged, deleted, moved, restored or replaced by an older copy. No console and no command sends anything until you have read that.",
		"paydesk journal acknowledge does the same without a screen. A file that was set aside stays where it is.",
	}
}
