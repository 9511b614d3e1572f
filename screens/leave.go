package screens

import (
	"sync"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/api/session"
	"paydesk/screens/nav"
	"paydesk/ui"
)

// A leave is the feature that ends the console, or goes back to the shell for a while.
type leave struct {
	app     *App
	waiting bool // ctrl+c was pressed while something was under way

	mu       sync.Mutex // a program that had to be abandoned may still open one
	sessions []ending   // all of this run
}

// An ending is a session, and whether its journal outlasts this run.
type ending struct {
	*session.Session
	recorded bool
}

func (l *leave) opened(c connection) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.sessions = append(l.sessions, ending{c.Session, c.recorded()})
}

// due reports whether the person wanted to leave, and the last work under way was answered.
func (l *leave) due() bool { return l.waiting && !l.app.work.Busy() }

// key ends the console. One letter does on home when nothing is below it and nothing is asked.
func (l *leave) key() key.Binding {
	a := l.app
	home := a.start.home != nil || a.topMount().isOf(nav.Home{})
	if h := a.start.shown(); len(a.stack) == 1 && home && !h.Typing() && !ui.Asked(h.Keys()) {
		return ui.QuitHome
	}
	return ui.Quit
}

// intercept takes the keys that end the console, and every key while it waits to end.
func (l *leave) intercept(k tea.KeyPressMsg) (tea.Cmd, bool) {
	switch {
	case !key.Matches(k, l.key()) || (l.waiting || l.app.help != nil) && !key.Matches(k, ui.Quit):
		was := l.waiting
		l.waiting = was && !key.Matches(k, ui.Back)
		return nil, was
	case l.waiting || !l.app.work.Busy():
		return tea.Quit, true
	}
	l.waiting = true
	return nil, true
}

// Commands are the key that goes back to the shell.
func (l *leave) Commands() ui.Commands {
	return ui.Commands{{Key: ui.Suspend, On: l.app.env.Shell, Do: l.suspend}}
}

// suspend goes back to the shell, with the terminal as it was there.
func (l *leave) suspend() tea.Cmd {
	switch {
	case !l.app.env.Shell:
		return l.app.warn("ctrl+z does nothing here: paydesk was not started from a shell. ctrl+c quits.")
	case l.app.work.Busy():
		return l.app.warn("A request is in progress. Press ctrl+z again once it has been answered.")
	}
	return tea.Suspend
}

// resumed goes on after the shell. A question that was open before is interrupted.
func (l *leave) resumed() tea.Cmd {
	l.app.sendLock.lock()
	return l.app.interruptTop()
}

// Notice says what is waited for.
func (l *leave) Notice() ui.Notice {
	if !l.waiting {
		return ui.Notice{}
	}
	return ui.Notice{Tone: ui.ToneAct, Text: "Quitting once the service answers. ctrl+c again: quit now. esc: stay."}
}
