package payment

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/watch"
	"paydesk/ui"
)

// open begins to watch a payment.
func (m *Model) open(r api.Reference) tea.Cmd {
	m.close()
	m.reference, m.now, m.notice = r, time.Time{}, ui.Notice{}
	m.watch = m.watcher.Watch(r)
	m.scope.OnLeave(m.watch.Close)
	m.state = m.watch.State()
	m.look()
	return m.follow()
}

// close ends the watch, if there is one.
func (m *Model) close() {
	if m.watch != nil {
		m.watch.Close()
	}
}

// look takes what this console knows of the payment by now.
func (m *Model) look() {
	m.entry, m.ours = m.payments.Find(m.reference)
	m.happened = m.payments.Flow(m.reference)
}

// follow waits for the next state of the watch.
func (m *Model) follow() tea.Cmd {
	w, last := m.watch, m.state
	return m.moved.Ask(m.scope, func(ctx context.Context) (watch.State, error) { return w.Next(ctx, last) })
}

// take takes the next state and waits for the one after it.
func (m *Model) take(a ui.Result[watch.State]) tea.Cmd {
	if a.Err != nil { // the screen is being left
		return nil
	}
	return tea.Batch(m.show(a.Value), m.follow())
}

// show shows a state, unless a newer one is shown: a key may have been faster than a letter. It
// rings when the payment turned final before somebody's eyes.
func (m *Model) show(s watch.State) tea.Cmd {
	if m.state.Newer(s) {
		return nil
	}
	rings := s.SettledHere && !m.state.SettledHere && m.set.Bell
	m.state = s
	if s.AnsweredAt.After(m.now) {
		m.now = s.AnsweredAt
	}
	m.look()
	if rings {
		return tea.Batch(tea.Raw("\a"), m.rearm())
	}
	return m.rearm()
}

// rearm sets the timer to when the age on the screen changes; there is none when it does not.
func (m *Model) rearm() tea.Cmd {
	s := &m.state
	if s.Phase == watch.Settled || s.ReportedAt.IsZero() || m.now.IsZero() {
		m.timer.Drop()
		return nil
	}
	wait := max(s.ReportedAt.Add(nextAge(watch.Age(s.ReportedAt, m.now))).Sub(m.now), 0)
	return m.timer.Ask(m.scope, func(ctx context.Context) (time.Time, error) {
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

// onTimer looks at what has changed with time.
func (m *Model) onTimer(a ui.Result[time.Time]) tea.Cmd {
	if a.Err != nil { // the screen is being left
		return nil
	}
	m.now = a.Value
	return m.show(m.watch.Refresh(m.now))
}

// pause ends the requests, and goes on with them.
func (m *Model) pause() tea.Cmd {
	if !m.watch.Resume() && !m.watch.Pause() {
		return m.say(ui.ToneNone, "Nothing is being asked; press r to ask now.")
	}
	return m.show(m.watch.State())
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
