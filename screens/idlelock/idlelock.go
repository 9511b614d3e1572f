// Package idlelock hides what is open after nobody pressed a key for long (R78). Only the key of
// the service leads back.
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
	Silent  bool // nothing is asked of the service meanwhile
}

// A Model is the screen.
type Model struct {
	theme *ui.Theme
	o     Options
	w, h  int
}

var _ ui.Screen = (*Model)(nil)

var open = key.NewBinding(key.WithKeys("enter"), key.WithHelp("enter", "open again"))

// New hides what is below it.
func New(t *ui.Theme, o Options) *Model { return &Model{theme: t, o: o} }

// Init implements [ui.Screen].
func (m *Model) Init(ui.Scope) tea.Cmd { return nil }

// Update implements [ui.Screen].
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	if k, ok := msg.(tea.KeyPressMsg); ok && key.Matches(k, open) && !k.IsRepeat {
		return nav.Open(nav.Key{Profile: m.o.Profile, Return: true})
	}
	return nil
}

// WhyStay keeps what is below hidden.
func (m *Model) WhyStay() string {
	return "The console is locked: enter opens it with the key of the profile."
}

// Resize implements [ui.Screen].
func (m *Model) Resize(w, h int) { m.w, m.h = w, h }

// View implements [ui.Screen].
func (m *Model) View() (string, *tea.Cursor) {
	minutes := strconv.Itoa(m.o.Profile.IdleLock) + " minutes"
	if m.o.Profile.IdleLock == 1 {
		minutes = "a minute"
	}
	meanwhile := "What was being watched is still asked about."
	if m.o.Silent {
		meanwhile = "The key is forgotten, and nothing is asked of the service meanwhile."
	}
	lines := append([]string{m.theme.Strong.Render("Locked: no key was pressed for " + minutes)}, "")
	lines = append(lines, ui.Wrap("What was open waits behind this, with what was typed. Card data and passwords were wiped, and sending is locked.", max(m.w, 1))...)
	lines = append(lines, "")
	lines = append(lines, ui.Wrap(meanwhile+" Press enter: the key is asked for where the profile says it is.", max(m.w, 1))...)
	return ui.Lines(m.w, m.h, lines...), nil
}

// Title implements [ui.Screen].
func (m *Model) Title() string { return "Locked" }

// Keys implements [ui.Screen].
func (m *Model) Keys() []key.Binding { return []key.Binding{open} }

// Typing implements [ui.Screen].
func (m *Model) Typing() bool { return false }

// Explain is what the help page says besides the keys.
func (m *Model) Explain() []string {
	return []string{"idle_lock in the profile says after how many minutes; 0 is never."}
}
