// Package lock has the screens that stand between a person and real money.
package lock

import (
	tea "charm.land/bubbletea/v2"

	"paydesk/api/journal"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/ui"
)

// UnlockOptions are those of [NewUnlock].
type UnlockOptions struct {
	Profile string
	Minutes int // until it locks again
	Target  present.Target
	Cards   bool // card entry is enabled on this host
}

// A question is a screen that is left by typing a word.
type question struct {
	*ui.Confirm
	w, h int
}

// Resize implements [ui.Screen].
func (q *question) Resize(w, h int) { q.w, q.h = w, h }

// View implements [ui.Screen].
func (q *question) View() (string, *tea.Cursor) { return q.Confirm.View(q.w, q.h) }

// Unlock unlocks sending for some minutes where real money may move. The person must type the name of the profile.
type Unlock struct {
	question
	cards bool
}

// NewUnlock confirms the unlocking.
func NewUnlock(t *ui.Theme, o UnlockOptions) *Unlock {
	return &Unlock{cards: o.Cards, question: question{Confirm: ui.NewConfirm(t, ui.Question{
		Title: "Unlock sending for " + present.Count(o.Minutes, "minute", "minutes") + "?",
		Lines: []string{
			o.Target.String(),
			"Real money moves here. You can browse without unlocking; it is needed to take payments, create links and finalize.",
			"It locks again after that time, when paydesk is suspended, or with the same key. You still type the amount of every payment.",
		},
		Ruled: true, Yes: "Unlock", No: "Keep it locked", Typed: o.Profile,
	})}}
}

// Update implements [ui.Screen].
func (m *Unlock) Update(msg tea.Msg) tea.Cmd {
	unlock := func() tea.Msg { return nav.Unlocked{} }
	return m.Answer(msg, func() tea.Cmd { return unlock }, func() tea.Cmd { return nav.Pop })
}

// Title implements [ui.Screen].
func (m *Unlock) Title() string { return "Unlock" }

// Explain is the help page's text beyond the keys.
func (m *Unlock) Explain() []string {
	lines := []string{"Where real money moves, nothing is sent until the profile's name is typed here, and for some minutes only.", "unlock_minutes in the profile sets how many, from 1 to 480."}
	if !m.cards {
		lines = append(lines, "Card entry stays disabled on this host unless the profile has allow_card_entry = true. Create a payment link instead, so that the customer enters the card.")
	}
	return lines
}

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
