package screens

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"paydesk/api/session"
	"paydesk/screens/nav"
	"paydesk/ui"
)

// An idleLock is the feature that hides the console once no key has been pressed for as long as the
// profile says.
type idleLock struct {
	app    *App
	hidden bool
	used   time.Time // of the last key or paste
	due    timer     // to hide the console, and then to drop the key
}

func (l *idleLock) limit() time.Duration {
	if !l.app.conn.open() {
		return 0
	}
	return time.Duration(l.app.conn.profile.IdleLock) * time.Minute
}

// left returns how long until the console is hidden. The time that the machine slept counts.
func (l *idleLock) left() time.Duration { return l.limit() - session.Age(l.used, l.app.Now()) }

// wait begins to count from now, where the profile wants that.
func (l *idleLock) wait() tea.Cmd {
	l.used = l.app.Now()
	if l.limit() == 0 {
		return nil
	}
	return l.due.after(l.app, l.limit(), l.check)
}

// check hides the console, unless it was used meanwhile.
func (l *idleLock) check() tea.Cmd {
	if left := l.left(); left > 0 {
		return l.due.after(l.app, left, l.check)
	}
	return l.lock()
}

// tooLate notes a key or a paste, and reports whether it came when the console should have been
// hidden already: another person may have typed it.
func (l *idleLock) tooLate(msg tea.Msg) bool {
	switch msg.(type) {
	case tea.KeyPressMsg, tea.PasteMsg:
	default:
		return false
	}
	late := l.limit() > 0 && !l.hidden && l.left() <= 0
	l.used = l.app.Now()
	return late
}

// lock puts a screen over everything, from which only the key of the service leads back; what is
// secret below is forgotten.
func (l *idleLock) lock() tea.Cmd {
	a := l.app
	a.sendLock.lock()
	a.help, a.hint = nil, ui.Notice{}
	a.closePalette()
	a.ahead.drop()
	a.conn.Gate.Suspend(a.conn.Gate.Live())
	a.conn.Scans.Pause()
	for _, m := range a.stack {
		if w, ok := m.screen.(ui.Wiper); ok {
			w.Wipe()
		}
	}
	l.hidden = true
	l.due.stop()
	return tea.Batch(a.interruptTop(), a.push(nav.IdleLock{}), l.forgetSessionKey(), l.dropKey())
}

// unlock takes that screen away again, once there is a key.
func (l *idleLock) unlock() tea.Cmd {
	if !l.hidden {
		return nil
	}
	l.hidden = false
	a := l.app
	if at := slices.IndexFunc(a.stack, func(m mount) bool { return m.isOf(nav.IdleLock{}) }); at >= 0 {
		for len(a.stack) > at {
			a.pop()
		}
	}
	a.conn.Gate.Resume()
	return l.wait()
}

// dropKey takes the key away where real money may move, once nothing is being sent with it. In
// test the status checks go on with it until there is another.
func (l *idleLock) dropKey() tea.Cmd {
	a := l.app
	switch {
	case !l.hidden || !a.conn.Gate.Live():
		return nil
	case a.work.Busy():
		return l.due.after(a, time.Second, l.dropKey)
	}
	if k := a.conn.key.Take(); slices.Contains(ownedSources, a.conn.source) {
		k.Wipe()
	}
	return nil
}

// ownedSources lists the sources whose keys were read for this console alone: nothing else holds the
// same text, so it can be wiped.
var ownedSources = []string{"keyring", "command", "file", "age", "this run"}

// forgetSessionKey makes a source that has only what was typed ask for it again.
func (l *idleLock) forgetSessionKey() tea.Cmd {
	a := l.app
	if a.conn.profile.Source != "ask" {
		return nil
	}
	store, name, ctx := a.env.Store(a.conn.profile), a.conn.profile.Name, a.ctx
	return func() tea.Msg {
		_ = store.Delete(ctx, name) // it need not be there
		return nil
	}
}
