// Package unlock opens sending for a while where real money may move, once the name of the
// profile was typed (R77).
package unlock

import (
	"strconv"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/ui"
)

// Options of the screen.
type Options struct {
	Profile string
	Minutes int // for which it is unlocked
	Place   present.Target
	Cards   bool // cards may be typed on this host
}

// A Model is the screen.
type Model struct {
	confirm *ui.Confirm
	cards   bool
	w, h    int
}

var _ ui.Screen = (*Model)(nil)

// New asks for the name of the profile.
func New(t *ui.Theme, o Options) *Model {
	span := strconv.Itoa(o.Minutes) + " minutes"
	if o.Minutes == 1 {
		span = "1 minute"
	}
	return &Model{cards: o.Cards, confirm: ui.NewConfirm(t, ui.Question{
		Title: "Unlock sending for " + span + "?",
		Lines: []string{
			o.Place.String(),
			"Real money moves here. Looking needs no unlocking; it is for taking payments, creating links and finalizing.",
			"It locks itself after that time, when the console is stopped, and with the same key. Every payment still asks for its amount.",
		},
		Yes: "Unlock", No: "Keep it locked", Typed: o.Profile,
	})}
}

// Init implements [ui.Screen].
func (m *Model) Init(s ui.Scope) tea.Cmd { return m.confirm.Init(s) }

// Update implements [ui.Screen].
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	d, cmd := m.confirm.Update(msg)
	switch d {
	case ui.Accepted:
		return func() tea.Msg { return nav.Unlocked{} }
	case ui.Declined:
		return nav.Pop
	}
	return cmd
}

// Resize implements [ui.Screen].
func (m *Model) Resize(w, h int) { m.w, m.h = w, h }

// View implements [ui.Screen].
func (m *Model) View() (string, *tea.Cursor) { return m.confirm.View(m.w, m.h) }

// Title implements [ui.Screen].
func (m *Model) Title() string { return "Unlock" }

// Keys implements [ui.Screen].
func (m *Model) Keys() []key.Binding { return m.confirm.Keys() }

// Typing implements [ui.Screen].
func (m *Model) Typing() bool { return m.confirm.Typing() }

// Explain is what the help page says besides the keys.
func (m *Model) Explain() []string {
	lines := []string{"unlock_minutes in the profile says for how long, 1 to 480."}
	if !m.cards {
		lines = append(lines, "Cards are not typed on this host even then, unless the profile says allow_card_entry = true: a link lets the customer type them elsewhere.")
	}
	return lines
}
