package screens

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"paydesk/screens/nav"
	"paydesk/ui"
)

// A navigation is where a screen wants to go, and which screen it is. The sandbox may have been
// put over a screen whose answer is on its way; what comes of the answer happens
// where that screen is and not to the one on top, so that no key meets a screen that
// was not there when it was pressed.
type navigation struct {
	from ui.Screen
	msg  tea.Msg
}

// fromScreen says whose a command is.
func fromScreen(s ui.Screen, cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() tea.Msg {
		switch msg := cmd().(type) {
		case tea.BatchMsg:
			for i, c := range msg {
				msg[i] = fromScreen(s, c)
			}
			return msg
		case nav.Push, nav.Replace, nav.Back, nav.Rekey:
			return navigation{s, msg}
		default:
			return msg
		}
	}
}

// navigateFrom does what a screen asks for. One that was left meanwhile gets nothing.
func (a *App) navigateFrom(t navigation) tea.Cmd {
	at := slices.IndexFunc(a.stack, func(m mount) bool { return m.screen == t.from })
	switch {
	case at < 0:
		return nil
	case at == len(a.stack)-1:
		return a.navigate(t.msg)
	}
	switch msg := t.msg.(type) {
	case nav.Push:
		return a.insert(at+1, msg.To)
	case nav.Replace:
		a.remove(at)
		return a.insert(at, msg.To)
	case nav.Back:
		if at > 0 {
			a.remove(at)
		}
	case nav.Rekey:
		a.remove(at)
		return a.rekey.renew(msg)
	}
	return nil
}

// navigate does what the screen on top, or the console itself, asks for.
func (a *App) navigate(msg tea.Msg) tea.Cmd {
	a.help, a.hint = false, ""
	switch msg := msg.(type) {
	case nav.Push:
		return a.push(msg.To)
	case nav.Replace:
		a.pop()
		return a.push(msg.To)
	case nav.Restart:
		return a.restart(msg.To)
	case nav.Connect:
		return a.connect(msg)
	case nav.Rekey:
		a.pop()
		return tea.Batch(a.rekey.renew(msg), a.resume(), a.interruptTop())
	case nav.Back:
		if len(a.stack) > 1 && !isIdleLock(a.stack[len(a.stack)-1]) {
			a.pop()
			return tea.Batch(a.resume(), a.interruptTop()) // a key typed ahead was not meant for what is uncovered
		}
	}
	return nil
}

// restart leaves every screen, with all that was typed, and begins with another. What is
// being sent is waited for: its answer has a place only where it was sent.
func (a *App) restart(to nav.Route) tea.Cmd {
	if a.work.Busy() {
		a.hint = "A request is in progress. Switch profiles once it has been answered."
		return nil
	}
	a.clear()
	a.idle.hidden = false
	return a.push(to)
}
