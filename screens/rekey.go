package screens

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/screens/home"
	"paydesk/screens/nav"
	"paydesk/screens/secretkey"
	"paydesk/ui"
)

// A renewer is a screen that goes on with what stopped for want of a key that is taken.
type renewer interface{ Renewed() tea.Cmd }

// anotherKey is open on every screen while the service does not take the key. What is below
// stays as it is.
var anotherKey = key.NewBinding(key.WithKeys("ctrl+g"), key.WithHelp("ctrl+g", "another key"))

// refused reports whether another key is to be offered: the service takes the present one
// no more, and it is not being asked for already.
func (a *App) refused() bool {
	_, there := a.top().(*secretkey.Model)
	return !there && !a.idle.hidden && a.conn.refused()
}

// askKey asks for another key on top of what is being done.
func (a *App) askKey() tea.Cmd {
	if a.work.Busy() {
		a.hint = "Something is being sent: give another key once it is there."
		return nil
	}
	return a.push(nav.Key{Profile: a.conn.profile, Replace: true})
}

// renew goes on with another key. Each screen may take up again what it gave up.
func (a *App) renew(r nav.Rekey) tea.Cmd {
	a.conn.renew(r)
	back := a.idleUnlock()
	all := []tea.Cmd{back}
	for _, m := range a.stack {
		if s, ok := m.screen.(renewer); ok {
			all = append(all, fromScreen(m.screen, s.Renewed()))
		}
	}
	return tea.Batch(all...)
}

// restart leaves every screen, with all that was typed, and begins with another. What is
// being sent is waited for: its answer has a place only where it was sent.
func (a *App) restart(to nav.Route) tea.Cmd {
	if a.work.Busy() {
		a.hint = "Something is being sent: open another profile once it is there."
		return nil
	}
	a.clear()
	return a.push(to)
}

// defaultNotice is what the console itself has to say while nothing else is to be said.
func (a *App) defaultNotice() ui.Notice {
	switch {
	case a.refused():
		return ui.Notice{Tone: ui.ToneBad, Text: "The service refuses the key: ctrl+g gives another."}
	case a.conn.trouble() != "" && !a.atHome(): // which says so itself, in full
		return ui.Notice{Tone: ui.ToneBad, Text: a.conn.trouble()}
	case a.lockNotice().Text != "":
		return a.lockNotice()
	case a.conn.source == "env":
		return ui.Notice{Tone: ui.ToneAct, Text: "The key is from the environment, which other programs of this user can read."}
	}
	return ui.Notice{}
}

func (a *App) atHome() bool {
	_, there := a.top().(*home.Model)
	return there
}
