package lock

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/keystore"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/ui"
)

// Idle hides all open screens after some minutes without a key press. Only the service's secret key unlocks it.
type Idle struct {
	ui.Body
	profile keystore.Profile
	silent  bool
}

var unlock = ui.Bind("enter", "unlock")

// NewIdle hides the screens below it. It is silent if no requests are sent while it is locked.
func NewIdle(t *ui.Theme, p keystore.Profile, silent bool) *Idle {
	return &Idle{ui.Body{Theme: t}, p, silent}
}

// Update implements [ui.Screen].
func (m *Idle) Update(msg tea.Msg) tea.Cmd {
	if k, ok := msg.(tea.KeyPressMsg); ok && key.Matches(k, unlock) && !k.IsRepeat {
		return nav.Open(nav.Key{Profile: m.profile, Return: true})
	}
	return nil
}

// WhyStay keeps the screens below hidden.
func (m *Idle) WhyStay() string {
	return "paydesk is locked. Press enter to unlock it with the profile's key."
}

// View implements [ui.Screen].
func (m *Idle) View() (string, *tea.Cursor) {
	meanwhile := "An open payment is still being checked, the list on home is not."
	if m.silent {
		meanwhile = "The key was forgotten; paydesk sends no requests until you unlock."
	}
	words := "Your screens and input are kept. Card data and passwords were wiped, and sending is locked.\n\n" +
		meanwhile + " Unlocking gets the key again from the profile's key source."
	lines := []string{m.Theme.Rule("Locked: idle for "+present.Count(m.profile.IdleLock, "minute", "minutes"), "", m.W)}
	return ui.Lines(m.W, m.H, append(lines, m.Theme.Invite(words, unlock, m.W, m.H-1)...)...), nil
}

// Title implements [ui.Screen].
func (m *Idle) Title() string { return "Locked" }

// Keys implements [ui.Screen].
func (m *Idle) Keys() []key.Binding { return []key.Binding{unlock} }

// Explain is the help page's text beyond the keys.
func (m *Idle) Explain() []string {
	return []string{"The console was idle, so all screens are hidden until the profile's key is read again.", "idle_lock in the profile sets the minutes; 0 is never."}
}
