package lock

import (
	tea "charm.land/bubbletea/v2"

	"paydesk/api/journal"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/ui"
)

// Loss shows what the journal may be missing, from when to when. Nothing is sent until a person has read that, and typed
// a word. It keeps the losses that it was opened with: one that is found later is read in its turn.
type Loss struct {
	question
	losses []journal.Loss
}

// NewLoss shows losses.
func NewLoss(t *ui.Theme, losses []journal.Loss) *Loss {
	q := ui.Question{Title: "Records are missing: send again?", Ruled: true, Yes: "Send again", No: "Send nothing", Typed: "acknowledge"}
	for _, l := range losses {
		q.Lines = append(q.Lines, present.Plain(l.Words()))
	}
	q.Lines = append(q.Lines, "A payment of that time may be unknown here: nothing would warn you before it is charged again. Look for such payments in Transactions first.")
	return &Loss{question{Confirm: ui.NewConfirm(t, q)}, losses}
}

// Update implements [ui.Screen].
func (m *Loss) Update(msg tea.Msg) tea.Cmd {
	read := func() tea.Msg { return nav.LossRead{Losses: m.losses} }
	return m.Answer(msg, func() tea.Cmd { return read }, func() tea.Cmd { return nav.Pop })
}

// Title implements [ui.Screen].
func (m *Loss) Title() string { return "Missing records" }

// Explain is the help page's text beyond the keys.
func (m *Loss) Explain() []string {
	return []string{
		"The journal of this user was damaged, deleted, moved, restored or replaced by an older copy. No console and no command sends anything until you have read that.",
		"paydesk journal acknowledge does the same without a screen. A file that was set aside stays where it is.",
	}
}
