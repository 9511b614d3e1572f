package screens

import (
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/screens/collect"
	"paydesk/screens/envcheck"
	"paydesk/screens/finalize"
	"paydesk/screens/nav"
	"paydesk/screens/newlink"
	"paydesk/screens/present"
	"paydesk/screens/unlock"
	"paydesk/ui"
)

// A lock is what the frame says of the gate. The gate itself decides; this is as old as
// the last tick, since a view has no clock.
type lock struct {
	left time.Duration // for how long sending stays unlocked
	turn int           // of the ticks that count
}

// A countdownTick is when the countdown of an unlocking changes.
type countdownTick struct{ turn int }

// lockKey leads to what is closed against sending, and locks what is open.
var lockKey = key.NewBinding(key.WithKeys(present.LockKey), key.WithHelp(present.LockKey, "lock"))

// guarded reports whether there is anything to lock: real money may move.
func (a *App) guarded() bool { return !a.idle.hidden && a.conn.open() && a.conn.Gate.Live() }

// toggleSendLock opens the screen that leads on, or locks.
func (a *App) toggleSendLock() tea.Cmd {
	switch a.top().(type) {
	case *unlock.Model, *envcheck.Model:
		return nil
	}
	switch {
	case a.conn.Gate.Unacknowledged():
		return a.push(nav.EnvCheck{})
	case a.lock.left == 0:
		return a.push(nav.Unlock{})
	}
	a.lockSending()
	return nil
}

// lockSending locks sending.
func (a *App) lockSending() {
	if a.conn.open() {
		a.conn.Gate.Lock()
	}
	a.lock.left = 0
	a.lock.turn++
}

// confirmed does what the two screens that lead on were there for. No other screen can say
// the same: the one on top has to be theirs.
func (a *App) confirmed(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case nav.Unlocked:
		if _, asked := a.top().(*unlock.Model); !asked {
			return nil
		}
		a.conn.Gate.Unlock()
		a.lock.turn++
		return tea.Batch(a.refreshCountdown(), a.navigate(nav.Back{}))
	case nav.Acknowledged:
		if _, asked := a.top().(*envcheck.Model); asked {
			a.conn.Gate.Acknowledge(msg.Evidence)
			return a.navigate(nav.Back{})
		}
	}
	return nil
}

// tick takes the countdown on. What is closed by now has the screen on top look anew.
func (a *App) tick(t countdownTick) tea.Cmd {
	if t.turn != a.lock.turn {
		return nil
	}
	return a.refreshCountdown()
}

// refreshCountdown reads what is left, and sets the timer to when its words change: by the minute, in
// the last one by the second.
func (a *App) refreshCountdown() tea.Cmd {
	a.lock.left = a.conn.Gate.Left(time.Now())
	if a.lock.left == 0 {
		a.lockSending()
		return a.interruptTop()
	}
	return a.after(untilChange(a.lock.left), countdownTick{a.lock.turn})
}

// untilChange is how long the words for a remaining time stay true.
func untilChange(left time.Duration) time.Duration {
	unit := time.Second
	if left > time.Minute {
		unit = time.Minute
	}
	if part := left % unit; part > 0 {
		return part
	}
	return unit
}

// remaining is that time in words: "14 min", in the last minute "0:59".
func remaining(left time.Duration) string {
	if left > time.Minute {
		return present.Age((left + time.Minute - 1).Truncate(time.Minute))
	}
	return present.Countdown(left + time.Second - 1)
}

// after brings the console a message of its own, unless it ended.
func (a *App) after(d time.Duration, msg tea.Msg) tea.Cmd {
	ctx := a.ctx
	return func() tea.Msg {
		t := time.NewTimer(d)
		defer t.Stop()
		select {
		case <-t.C:
			return msg
		case <-ctx.Done():
			return nil
		}
	}
}

// banner is what stands on every frame while something is, or could be, closed.
func (a *App) banner() ui.Notice {
	if !a.guarded() {
		return ui.Notice{}
	}
	doubt := ""
	switch {
	case a.conn.Gate.Unacknowledged():
		return ui.Notice{Tone: ui.ToneBad, Text: "ENVIRONMENT MISMATCH: nothing can be sent · " + present.LockKey + " why"}
	case a.conn.Gate.Contradictory():
		doubt = "Environment in doubt · "
	}
	if a.lock.left > 0 {
		return ui.Notice{Tone: ui.ToneAct, Text: doubt + "Unlocked for " + remaining(a.lock.left) + " · " + present.LockKey + " locks"}
	}
	return ui.Notice{Text: doubt + "Sending is locked · " + present.LockKey + " unlocks"}
}

// sends reports whether the screen on top is there to send something.
func (a *App) sends() bool {
	switch a.top().(type) {
	case *collect.Model, *newlink.Model, *finalize.Model:
		return true
	}
	return false
}

// lockNotice says on a screen that sends, before anything is filled in, that it cannot.
func (a *App) lockNotice() ui.Notice {
	if !a.guarded() || !a.sends() || a.lock.left > 0 && !a.conn.Gate.Unacknowledged() {
		return ui.Notice{}
	}
	return ui.Notice{Tone: ui.ToneAct, Text: "Nothing can be sent from here yet: press " + present.LockKey + " first."}
}

// withLock puts the key of the lock among those of the screen on top: among the first where
// it is in the way of what the screen is for.
func (a *App) withLock(keys []key.Binding) []key.Binding {
	if !a.guarded() {
		return keys
	}
	k := lockKey
	switch {
	case a.conn.Gate.Unacknowledged():
		k.SetHelp(present.LockKey, "see why")
	case a.lock.left == 0:
		k.SetHelp(present.LockKey, "unlock")
	default:
		return append(keys, k)
	}
	switch a.top().(type) {
	case *unlock.Model, *envcheck.Model:
		return keys
	}
	if a.sends() {
		return append([]key.Binding{k}, keys...)
	}
	return append(keys, k)
}
