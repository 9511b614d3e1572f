// Package idlelock hides all open screens after some minutes without a key press. Only the service's
// secret key unlocks it.
package idlelock

import (
	"strconv"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/keystore"
	"paydesk/screens/nav"
	"paydesk/ui"
)

// Options of the screen.
type Options struct {
	Profile keystore.Profile
	Silent  bool // no requests are sent while it is locked
}

// A Model is the screen.
type Model struct {
	theme *ui.Theme
	o     Options
	w, h  int
}

var _ ui.Screen = (*Model)(nil)

var unlock = key.NewBinding(key.WithKeys("enter"), key.WithHelp("enter", "unlock"))

// New hides the screens below it.
func New(t *ui.Theme, o Options) *Model { return &Model{theme: t, o: o} }

// Init implements [ui.Screen].
func (m *Model) Init(ui.Scope) tea.Cmd { return nil }

// Update implements [ui.Screen].
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	if k, ok := msg.(tea.KeyPressMsg); ok && key.Matches(k, unlock) && !k.IsRepeat {
		return nav.Open(nav.Key{Profile: m.o.Profile, Return: true})
	}
	return nil
}

// WhyStay keeps the screens below hidden.
func (m *Model) WhyStay() string {
	return "paydesk is locked. Press enter to unlock it with the profile's key."
}

// Resize implements [ui.Screen].
func (m *Model) Resize(w, h int) { m.w, m.h = w, h }

// View implements [ui.Screen].
func (m *Model) View() (string, *tea.Cursor) {
	minutes := strconv.Itoa(m.o.Profile.IdleLock) + " minutes"
	if m.o.Profile.IdleLock == 1 {
		minutes = "a minute"
	}
	meanwhile := "Watched payments are still being checked."
	if m.o.Silent {
		meanwhile = "The key was forgotten; paydesk sends no requests until you unlock."
	}
	lines := append([]string{m.theme.Strong.Render("Locked: no key was pressed for " + minutes)}, "")
	lines = append(lines, ui.Wrap("Your screens and input are kept. Card data and passwords were wiped, and sending is locked.", max(m.w, 1))...)
	lines = append(lines, "")
	lines = append(lines, ui.Wrap(meanwhile+" Press enter to get the key again from the profile's key source.", max(m.w, 1))...)
	return ui.Lines(m.w, m.h, lines...), nil
}

// Title implements [ui.Screen].
func (m *Model) Title() string { return "Locked" }

// Keys implements [ui.Screen].
func (m *Model) Keys() []key.Binding { return []key.Binding{unlock} }

// Typing implements [ui.Screen].
func (m *Model) Typing() bool { return false }

// Explain is the help page's text beyond the keys.
func (m *Model) Explain() []string {
	return []string{"idle_lock in the profile sets after how many minutes; 0 is never."}
}
