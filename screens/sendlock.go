package screens

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"paydesk/api/journal"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/ui"
)

// A sendLock is the feature that unlocks sending where real money may move, and says how that
// stands. The gate itself decides.
type sendLock struct {
	app  *App
	tick timer // to when the words for how long sending stays unlocked change
}

// left returns for how long sending stays unlocked, as of the last message.
func (l *sendLock) left() time.Duration { return l.app.conn.Gate.Left(l.app.Now()) }

// lockedWords say that sending is locked, and the key that unlocks it.
const lockedWords = "Sending is locked · " + present.LockKey

// guarded reports whether there is anything to lock or to acknowledge: real money may move, or it is
// not known what the key is for.
func (l *sendLock) guarded() bool {
	return l.app.conn.open() && (l.app.conn.Gate.Live() || l.app.conn.Gate.Unacknowledged())
}

// lost reports whether the journal lost something that no person has read.
func (l *sendLock) lost() bool {
	return l.app.conn.open() && JournalLoss(l.app.conn.Journal) != ""
}

// Commands are the key that opens the screen that leads on, or locks.
func (l *sendLock) Commands() ui.Commands {
	if !l.guarded() && !l.lost() {
		return nil
	}
	does, to := "", nav.Route(nil)
	switch {
	case l.lost():
		does, to = "acknowledge", nav.Loss{}
	case l.app.conn.Gate.Unacknowledged():
		does, to = "see why", nav.EnvCheck{}
	case l.left() == 0:
		does, to = "unlock", nav.Unlock{}
	default:
		return ui.Commands{{Key: ui.Bind(present.LockKey, "lock"), On: true, Do: func() tea.Cmd {
			l.lock()
			return nil
		}}}
	}
	asking := l.app.topMount().isOf(nav.Loss{}, nav.EnvCheck{}, nav.Unlock{})
	return l.app.opener(ui.Bind(present.LockKey, does), to, asking)
}

// lock locks sending.
func (l *sendLock) lock() {
	if l.app.conn.open() {
		l.app.conn.Gate.Lock()
	}
	l.tick.stop()
}

// unlock unlocks sending, and begins to count. Only the screen that asks for the name is given it.
func (l *sendLock) unlock() tea.Cmd {
	s := l.app.conn.Session
	s.Gate.Unlock()
	return l.leave(func() tea.Msg { return l.app.during(s, l.count) })
}

// leave leaves the screen on top, on which a person has typed the word, and then does what they were asked about: that may take a
// while, and must not keep the next keys.
func (l *sendLock) leave(do tea.Cmd) tea.Cmd {
	return func() tea.Msg {
		return then(func() tea.Cmd { return tea.Batch(l.app.navigateTop(nav.Back{}), do) })
	}
}

// acknowledgeLosses ends the losses that a person has read.
func (l *sendLock) acknowledgeLosses(read []journal.Loss) tea.Cmd {
	j := l.app.conn.Journal
	return l.leave(func() tea.Msg {
		err := j.AcknowledgeLosses(read)
		return then(func() tea.Cmd {
			if err != nil {
				return l.app.warn("It could not be acknowledged, and nothing is sent: " + present.Sentence(err.Error()))
			}
			return l.app.reread()
		})
	})
}

// acknowledge lets through what the person has seen. What a key without a known prefix is for is
// remembered, unless something else spoke against it.
func (l *sendLock) acknowledge(evidence int) tea.Cmd {
	g := l.app.conn.Gate
	remember := g.Unconfirmed() && !g.Contradictory()
	g.Acknowledge(evidence)
	if !remember {
		return l.leave(nil)
	}
	confirm := l.app.conn.confirm
	return l.leave(func() tea.Msg {
		err := confirm()
		return then(func() tea.Cmd {
			if err != nil {
				return l.app.warn("This could not be stored, so paydesk will ask again at the next start: " + present.Sentence(err.Error()))
			}
			return nil
		})
	})
}

// count reads what is left, and sets the timer to when its words change: by the minute, in the
// last one by the second. Once sending is locked the screen on top looks again.
func (l *sendLock) count() tea.Cmd {
	left := l.left()
	if left == 0 {
		l.lock()
		return l.app.interruptTop()
	}
	return l.tick.after(l.app, untilChange(left), l.count)
}

// untilChange returns how long the words for a remaining time stay true.
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

// remaining words that time: "14 min", in the last minute "0:59".
func remaining(left time.Duration) string {
	if left > time.Minute {
		return present.Age((left + time.Minute - 1).Truncate(time.Minute))
	}
	return present.Countdown(left + time.Second - 1)
}

// Banner is what stands on every frame while something is, or could be, locked.
func (l *sendLock) Banner() ui.Notice {
	if !l.guarded() {
		return ui.Notice{}
	}
	doubt := ""
	switch {
	case l.app.conn.Gate.Unacknowledged() && !l.app.conn.Gate.Contradictory():
		return ui.Notice{Tone: ui.ToneBad, Text: "KEY NOT RECOGNISED: sending is disabled · " + present.LockKey + " why"}
	case l.app.conn.Gate.Unacknowledged():
		return ui.Notice{Tone: ui.ToneBad, Text: "ENVIRONMENT MISMATCH: sending is disabled · " + present.LockKey + " why"}
	case l.app.conn.Gate.Contradictory():
		doubt = " · environment unclear" // last: in a narrow window it makes way for the key
	}
	if left := l.left(); left > 0 {
		return ui.Notice{Tone: ui.ToneAct, Text: "Unlocked " + remaining(left) + " · " + present.LockKey + doubt}
	}
	return ui.Notice{Text: lockedWords + doubt}
}

// leads reports whether the key stands before those of the screen on top, which is there to send something: the lock is in the
// way of that.
func (l *sendLock) leads() bool {
	sends := l.app.wholeMount().isOf(nav.Collect{}, nav.NewLink{}, nav.Finalize{})
	return sends && (l.left() == 0 || l.lost() || l.app.conn.Gate.Unacknowledged())
}
