package payment

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/ui"
)

// told is an answer and when it was asked for and came. It is filled when there was
// an error too.
type told struct {
	transaction api.Transaction
	asked, at   time.Time
}

// A rest is why nothing is asked any more.
type rest uint8

const (
	watching rest = iota
	settled       // the status is final
	paused        // by a person
	tooLong       // still not final at the end of the watch
	refused       // the key was not accepted
	unknown       // the service does not know the reference
)

// A watch is how the asking stands.
type watch struct {
	pace  pace
	rest  rest
	now   time.Time     // the last time that is known
	begun time.Time     // when this watch began; zero until the first answer
	at    time.Time     // of the last answer that told a status; zero when there was none
	due   time.Time     // when the next question is due
	wait  time.Duration // that was chosen between the last and the next question
	err   error         // of the last question, nil when it was answered
	live  bool          // a status that is not final was told while this screen was there
}

// open begins to watch a payment.
func (m *Model) open(r api.Reference) tea.Cmd {
	m.reference = r
	m.history, m.amount, m.watch = history{}, amount{}, watch{pace: m.watch.pace}
	m.mine, m.named, m.notice = false, api.Text{}, ui.Notice{}
	m.look()
	if m.mine {
		e := m.entry
		m.history.see(e.Started, e.Payment.Status, byInitiation)
		if e.SeenAt.After(e.Started) {
			m.history.see(e.SeenAt, e.Status, byAsking)
		}
		if e.Flow.IsFinalized() {
			m.history.note(time.Time{}, "finalized", byFinalize)
		}
		m.amount.begin(e.Payment)
		m.watch.at = e.SeenAt
	}
	return m.ask()
}

// look takes what this console knows of the payment by now, and notes a
// finalization that was taken.
func (m *Model) look() {
	was := m.mine && m.entry.Flow.IsFinalized()
	m.entry, m.mine = m.payments.Find(m.reference)
	m.happened = m.payments.Flow(m.reference)
	if m.mine && m.entry.Flow.IsFinalized() && !was && !m.watch.now.IsZero() {
		m.history.note(m.watch.now, "finalized", byFinalize)
	}
}

// ask asks now and begins a watch anew. One question is in flight at most.
func (m *Model) ask() tea.Cmd {
	if m.asked.Pending() {
		return nil
	}
	if m.watch.rest != paused && m.watch.rest != settled {
		m.watch.rest = watching
	}
	m.watch.begun = time.Time{}
	m.watch.pace.restart()
	return tea.Batch(m.question(), m.rearm())
}

// Renewed goes on with a watch that the refused key had ended.
func (m *Model) Renewed() tea.Cmd {
	if m.watch.rest != refused {
		return nil
	}
	return m.ask()
}

func (m *Model) question() tea.Cmd {
	service, reference := m.service, m.reference
	return m.asked.Ask(m.scope, func(ctx context.Context) (told, error) {
		asked := time.Now()
		t, err := service.Transaction(ctx, reference)
		return told{t, asked, time.Now()}, err
	})
}

// answered takes the answer to a question.
func (m *Model) answered(a ui.Answer[told]) tea.Cmd {
	w := &m.watch
	if !a.Value.at.IsZero() { // zero when the work broke off
		w.now = a.Value.at
	}
	if w.begun.IsZero() {
		w.begun = w.now
	}
	m.look()
	var bell tea.Cmd
	if w.err = a.Err; a.Err == nil {
		bell = m.learn(a.Value.transaction)
	}
	m.judge(a.Err)
	return tea.Batch(bell, m.rearm())
}

// learn takes what the service said. It rings when the payment turned final before
// somebody's eyes.
func (m *Model) learn(t api.Transaction) tea.Cmd {
	w := &m.watch
	w.at, m.named = w.now, t.Named
	m.amount.take(t, m.entry.Asked, m.mine)
	turned := m.history.see(w.now, t.Status, byAsking)
	ring := turned && w.live && m.set.Bell
	w.live = w.live || !t.Status.State.Final()
	if ring {
		return tea.Raw("\a")
	}
	return nil
}

// judge decides after an answer whether to ask again, and when (R47). Of a payment made from
// here the service may only not know yet.
func (m *Model) judge(err error) {
	w := &m.watch
	w.wait = w.pace.next(api.Backoff(err))
	w.due = w.now.Add(w.wait)
	switch {
	case m.history.settled:
		w.rest = settled
	case api.KeyRejected(err):
		w.rest = refused
	case !m.mine && api.Definite(err):
		w.rest = unknown
	case w.rest != watching:
	case w.now.After(m.until()):
		w.rest = tooLong
	}
}

// until is when this watch ends: after 15 minutes, and for a transfer 10 minutes
// after its account expired.
func (m *Model) until() time.Time {
	end := m.watch.begun.Add(patience)
	if t := m.entry.Payment.Transfer; m.mine && t != nil && !t.Expiration.Time.IsZero() {
		if late := t.Expiration.Time.Add(afterExpiry); late.After(m.watch.begun) {
			return late
		}
	}
	return end
}

// rearm sets the one timer to what comes first: the next question, the end of the
// watch, or the moment the age on the screen changes. When nothing will change
// there is none.
func (m *Model) rearm() tea.Cmd {
	w := &m.watch
	var next time.Time
	sooner := func(t time.Time) {
		if next.IsZero() || t.Before(next) {
			next = t
		}
	}
	if w.rest == watching && !m.asked.Pending() {
		sooner(w.due)
		sooner(m.until())
	}
	if w.rest != settled && !w.at.IsZero() && !w.now.IsZero() {
		sooner(w.at.Add(nextAge(age(w.at, w.now))))
	}
	if next.IsZero() {
		m.wake.Drop()
		return nil
	}
	wait := max(next.Sub(w.now), 0)
	return m.wake.Ask(m.scope, func(ctx context.Context) (time.Time, error) {
		t := time.NewTimer(wait)
		defer t.Stop()
		select {
		case <-t.C:
			return time.Now(), nil
		case <-ctx.Done():
			return time.Time{}, ctx.Err()
		}
	})
}

// woke does what has become due.
func (m *Model) woke(now time.Time) tea.Cmd {
	w := &m.watch
	w.now = now
	m.look()
	if w.rest == watching && !m.asked.Pending() {
		switch {
		case !now.Before(m.until()):
			w.rest = tooLong
		case !now.Before(w.due):
			return tea.Batch(m.question(), m.rearm())
		}
	}
	return m.rearm()
}

// pause stops the asking, and goes on with it.
func (m *Model) pause() tea.Cmd {
	switch m.watch.rest {
	case paused:
		m.watch.rest = watching
		return m.ask()
	case watching:
		m.watch.rest = paused
		return m.rearm()
	}
	return m.say(ui.ToneNone, "Nothing is being asked; press r to ask now.")
}

// age is how long ago t was. A machine that slept counts the time it slept, which
// the monotonic clock does not.
func age(t, now time.Time) time.Duration {
	return max(now.Sub(t), now.Round(0).Sub(t.Round(0)), 0)
}

// nextAge is the age at which the words for an age change ([show.Age]).
func nextAge(d time.Duration) time.Duration {
	unit := time.Hour
	switch {
	case d < time.Minute:
		unit = time.Second
	case d < time.Hour:
		unit = time.Minute
	}
	return d.Truncate(unit) + unit
}

// stale reports whether what is shown may have been overtaken: the last question
// was not answered, or it was answered too long ago.
func (w *watch) stale() bool {
	return w.err != nil || w.wait > 0 && age(w.at, w.now) >= 2*w.wait
}
