// Package unlock unlocks sending for some minutes where real money may move. The person must type
// the name of the profile.
package unlock

import (
	tea "charm.land/bubbletea/v2"

	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/ui"
)

// Options of the screen.
type Options struct {
	Profile string
	Minutes int // until it locks again
	Target  present.Target
	Cards   bool // card entry is enabled on this host
}

// A Model is the screen.
type Model struct {
	*ui.Confirm
	cards bool
	w, h  int
}

// New confirms the unlocking.
func New(t *ui.Theme, o Options) *Model {
	return &Model{cards: o.Cards, Confirm: ui.NewConfirm(t, ui.Question{
		Title: "Unlock sending for " + present.Count(o.Minutes, "minute", "minutes") + "?",
		Lines: []string{
			o.Target.String(),
			"Real money moves here. You can browse without unlocking; it is needed to take payments, create links and finalize.",
			"It locks again after that time, when paydesk is suspended, or with the same key. You still type the amount of every payment.",
		},
		Ruled: true, Yes: "Unlock", No: "Keep it locked", Typed: o.Profile,
	})}
}

// Update implements [ui.Screen].
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	unlock := func() tea.Msg { return nav.Unlocked{} }
	return m.Answer(msg, func() tea.Cmd { return unlock }, func() tea.Cmd { return nav.Pop })
}

// Resize implements [ui.Screen].
func (m *Model) Resize(w, h int) { m.w, m.h = w, h }

// View implements [ui.Screen].
func (m *Model) View() (string, *tea.Cursor) { return m.Confirm.View(m.w, m.h) }

// Title implements [ui.Screen].
func (m *Model) Title() string { return "Unlock" }

// Explain is the help page's text beyond the keys.
func (m *Model) Explain() []string {
	lines := []string{"Where real money moves, nothing is sent until the profile's name is typed here, and for some minutes only.", "unlock_minutes in the profile sets how many, from 1 to 480."}
	if !m.cards {
		lines = append(lines, "Card entry stays disabled on this host unless the profile has allow_card_entry = true. Create a payment link instead, so that the customer enters the card.")
	}
	return lines
}
