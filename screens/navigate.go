package screens

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/screens/nav"
	"paydesk/screens/payment"
	"paydesk/ui"
)

// A navigation says where a screen wants to go, and names that screen. The sandbox may have been
// put over a screen whose answer is on its way. What the answer leads to happens
// where that screen is and not to the one on top, so that no key meets a screen that
// was not there when it was pressed.
type navigation struct {
	from ui.Screen
	msg  tea.Msg
}

// fromScreen marks the navigation of a command with its screen.
func fromScreen(s ui.Screen, cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() tea.Msg {
		switch msg := cmd().(type) {
		case tea.BatchMsg:
			if ui.TakesTime(msg) {
				return fromScreen(s, msg[0])()
			}
			for i, c := range msg {
				msg[i] = fromScreen(s, c)
			}
			return msg
		case nav.Push, nav.Replace, nav.Back, nav.Rekey, nav.Pin:
			return navigation{s, msg}
		default:
			return msg
		}
	}
}

// navigateFrom does what a screen asks for. One that was left meanwhile gets nothing.
func (a *App) navigateFrom(t navigation) tea.Cmd {
	at := slices.IndexFunc(a.stack, func(m mount) bool { return m.screen == t.from })
	if at < 0 {
		if pin, is := t.msg.(nav.Pin); is { // the console's own to do
			return a.pins.store(pin, t.from)
		}
		return nil
	}
	return a.navigate(at, t.msg)
}

// navigateTop does what the screen on top, or the console itself, asks for.
func (a *App) navigateTop(msg tea.Msg) tea.Cmd { return a.navigate(len(a.stack)-1, msg) }

func (a *App) navigate(at int, msg tea.Msg) tea.Cmd {
	if at < len(a.stack)-1 { // it was opened on a screen that goes on elsewhere
		a.closePalette()
	}
	top := at == len(a.stack)-1
	if top {
		a.help, a.hint = nil, ui.Notice{}
	}
	switch msg := msg.(type) {
	case nav.Push:
		return a.insert(at+1, msg.To)
	case nav.Replace:
		a.remove(at)
		if to, is := msg.To.(nav.Payment); is && at > 0 && a.stack[at-1].handBack(to.Reference) {
			return a.uncover(top)
		}
		return a.insert(at, msg.To)
	case nav.Restart:
		return a.restart(msg.To)
	case nav.Connect:
		return a.connect(msg)
	case nav.Rekey:
		a.remove(at)
		return tea.Batch(a.renew(msg), a.uncover(top))
	case nav.Pin:
		return a.pins.store(msg, a.stack[at].screen)
	case nav.Back:
		if at > 0 && !a.stack[at].isOf(nav.IdleLock{}) {
			part := a.stack[at].part
			a.drafts.keep(a.stack[at])
			a.remove(at)
			for ; msg.Parts && a.stack[at-1].part; at-- {
				a.remove(at - 1)
			}
			if part && top {
				return a.interruptTop()
			}
			return a.uncover(top)
		}
	}
	return nil
}

// handBack tells the screen below which payment takes the place of the one over it, and reports whether it goes on with that itself: a
// step of a payment leads back to it, and a payment that was looked up back to where another is asked for.
func (m mount) handBack(r api.Reference) bool {
	if m.watches(r) {
		m.screen.(*payment.Model).Return()
		return true
	}
	p, asks := m.screen.(*payment.Prompt)
	if asks {
		p.Name(r)
	}
	return asks && r == ""
}

// leaveWhole leaves a screen, and what it is a part of. It does nothing once that was left.
func (a *App) leaveWhole(s ui.Screen) tea.Cmd {
	at := slices.IndexFunc(a.stack, func(m mount) bool { return m.screen == s })
	if at <= 0 {
		return nil
	}
	if at < len(a.stack)-1 { // it was opened on a screen that is left
		a.closePalette()
	}
	top := at == len(a.stack)-1
	for ; a.stack[at].part; at-- {
		a.remove(at)
	}
	a.drafts.keep(a.stack[at]) // another list may have been pasted while this one was stored
	a.remove(at)
	return a.uncover(top)
}

// uncover lets the screen look again that came to the top because the one over it was left. A key
// typed ahead was not meant for it.
func (a *App) uncover(top bool) tea.Cmd {
	if !top {
		return nil
	}
	if a.wholeMount().isOf(nav.Setup{}) { // its profile may become another
		a.disconnect()
	}
	var resumed tea.Cmd
	if r, ok := a.whole().(ui.Resumer); ok {
		resumed = fromScreen(a.whole(), r.Resume())
	}
	return tea.Batch(resumed, a.interruptTop())
}

// restart leaves every screen and begins with another, unless something typed would be lost, which whoever cannot unlock the
// console has to let go. What is being sent is waited for: its answer has a place only where it was sent.
func (a *App) restart(to nav.Route) tea.Cmd {
	switch {
	case a.work.Busy():
		return a.warn("A request is in progress. Switch profiles once it has been answered.")
	case !a.idle.hidden && slices.ContainsFunc(a.stack, func(m mount) bool { return m.holds(true) }):
		return a.warn("Another profile closes the form being filled in. Leave it first.")
	}
	a.clear()
	a.disconnect()
	a.idle.hidden = false
	return a.start.open(to)
}
