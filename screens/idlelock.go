package screens

import (
	"context"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"paydesk/api/session"
	"paydesk/keystore"
	"paydesk/screens/nav"
	"paydesk/ui"
)

// An idleLock is the feature that hides the console once no key has been pressed for as long as the
// profile says.
type idleLock struct {
	plain
	app    *App
	hidden bool
	used   time.Time // of the last key or paste
	seq    int       // of the timers that count
}

// An idleTimeout tells that the idle lock may be due, a keyTimeout that the key may be dropped.
type (
	idleTimeout struct{ seq int }
	keyTimeout  struct{ seq int }
)

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
	l.seq++
	if l.limit() == 0 {
		return nil
	}
	return l.app.after(l.limit(), idleTimeout{l.seq})
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

// Receive implements [feature].
func (l *idleLock) Receive(msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case keyTimeout:
		if msg.seq == l.seq {
			return l.dropKey(), true
		}
		return nil, true
	case idleTimeout:
		switch left := l.left(); {
		case msg.seq != l.seq || l.hidden:
			return nil, true
		case left > 0:
			return l.app.after(left, msg), true
		}
		return l.lock(), true
	}
	return nil, false
}

// lock puts a screen over everything, from which only the key of the service leads back; what is
// secret below is forgotten.
func (l *idleLock) lock() tea.Cmd {
	a := l.app
	a.sendLock.lock()
	a.help, a.hint = nil, ""
	a.palette.close()
	a.ahead.drop()
	a.conn.Gate.Suspend(a.conn.Gate.Live())
	a.conn.Scans.Pause()
	for _, m := range a.stack {
		if w, ok := m.screen.(ui.Wiper); ok {
			w.Wipe()
		}
	}
	l.hidden = true
	l.seq++
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
		return a.after(time.Second, keyTimeout{l.seq})
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
	return func() tea.Msg { return deleteKey(ctx, store, name) }
}

// deleteKey deletes what is kept for this run; it need not be there.
func deleteKey(ctx context.Context, s keystore.Store, name string) tea.Msg {
	_ = s.Delete(ctx, name)
	return nil
}
