package screens

import (
	"context"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"paydesk/keystore"
	"paydesk/screens/idlelock"
	"paydesk/screens/nav"
)

// An idle is how long nobody has pressed a key, and what became of that (R78).
type idle struct {
	hidden bool
	used   time.Time // when the last key or paste came
	turn   int       // of the timers that count
}

// An idled is when it may have been long enough; an emptied, when the key can go.
type (
	idleTimeout struct{ turn int }
	keyTimeout  struct{ turn int }
)

// A wiper is a screen with secrets to forget; it keeps the rest.
type wiper interface{ Wipe() }

func (a *App) idleLimit() time.Duration {
	if !a.conn.open() {
		return 0
	}
	return time.Duration(a.conn.profile.IdleLock) * time.Minute
}

// idleLeft is for how long nobody may go on pressing nothing. The clock on the wall counts,
// too: the other one stands still while the machine sleeps.
func (a *App) idleLeft() time.Duration {
	now := time.Now()
	return a.idleLimit() - max(now.Sub(a.idle.used), now.Round(0).Sub(a.idle.used.Round(0)))
}

// waitIdle begins to wait for nobody, where the profile wants that.
func (a *App) waitIdle() tea.Cmd {
	a.idle.used = time.Now()
	a.idle.turn++
	if a.idleLimit() == 0 {
		return nil
	}
	return a.after(a.idleLimit(), idleTimeout{a.idle.turn})
}

// noteInput notes a key or a paste, and reports whether it came too late: then nobody knows
// whose it is.
func (a *App) noteInput(msg tea.Msg) bool {
	switch msg.(type) {
	case tea.KeyPressMsg, tea.PasteMsg:
	default:
		return false
	}
	late := a.idleLimit() > 0 && !a.idle.hidden && a.idleLeft() <= 0
	a.idle.used = time.Now()
	return late
}

func (a *App) onIdleTimer(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case keyTimeout:
		if msg.turn == a.idle.turn {
			return a.dropKey()
		}
	case idleTimeout:
		switch left := a.idleLeft(); {
		case msg.turn != a.idle.turn || a.idle.hidden:
		case left > 0:
			return a.after(left, msg)
		default:
			return a.idleLock()
		}
	}
	return nil
}

// idleLock puts a screen over everything, from which only the key of the service leads back;
// what is secret below is forgotten.
func (a *App) idleLock() tea.Cmd {
	a.lockSending()
	a.help, a.hint = false, ""
	a.conn.Gate.Suspend(a.conn.Gate.Live())
	for _, m := range a.stack {
		if w, ok := m.screen.(wiper); ok {
			w.Wipe()
		}
	}
	a.idle.hidden = true
	a.idle.turn++
	return tea.Batch(a.interruptTop(), a.push(nav.IdleLock{}), a.forgetSessionKey(), a.dropKey())
}

// dropKey takes the key away where real money may move, once nothing is being sent with it.
// In test the asking goes on with it until there is another.
func (a *App) dropKey() tea.Cmd {
	switch {
	case !a.idle.hidden || !a.conn.Gate.Live():
		return nil
	case a.work.Busy():
		return a.after(time.Second, keyTimeout{a.idle.turn})
	}
	if k := a.conn.key.Take(); slices.Contains(read, a.conn.source) {
		k.Wipe()
	}
	return nil
}

// read are the sources whose keys were read for this console alone: nobody else has the same
// text.
var read = []string{"keyring", "command", "file", "age", "this run"}

// forgetSessionKey makes a source that has only what was typed ask for it again.
func (a *App) forgetSessionKey() tea.Cmd {
	if a.conn.profile.Source != "ask" {
		return nil
	}
	store, name, ctx := a.env.Store(a.conn.profile), a.conn.profile.Name, a.ctx
	return func() tea.Msg { return forgotten(ctx, store, name) }
}

// forgotten deletes what is kept for this run; what is not there need not be.
func forgotten(ctx context.Context, s keystore.Store, name string) tea.Msg {
	_ = s.Delete(ctx, name)
	return nil
}

func isIdleLock(m mount) bool {
	_, is := m.screen.(*idlelock.Model)
	return is
}

// idleUnlock takes the cover off, once there is a key.
func (a *App) idleUnlock() tea.Cmd {
	if !a.idle.hidden {
		return nil
	}
	a.idle.hidden = false
	if at := slices.IndexFunc(a.stack, isIdleLock); at >= 0 {
		for len(a.stack) > at {
			a.pop()
		}
	}
	a.conn.Gate.Resume()
	return a.waitIdle()
}
