package payment

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/api/session"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/ui"
)

// recall reads what was recorded of the payment, after what must be read before, and shows it.
func (m *Model) recall(before ...func(context.Context) error) tea.Cmd {
	p, r := m.payments, m.reference
	return m.recalled.Then(func(ui.Result[struct{}]) tea.Cmd { return m.show(m.watch.Refresh()) }).
		Ask(m.Scope, func(ctx context.Context) (struct{}, error) {
			for _, read := range before {
				_ = read(ctx) // what cannot be read stays as it is
			}
			return struct{}{}, p.Recall(ctx, r)
		})
}

// reload gets what this console knows about the payment now.
func (m *Model) reload() { m.entry, m.ours = m.payments.Find(m.reference) }

// mismatch returns how the service answered something else than was asked, as far as is known here.
func (m *Model) mismatch() ledger.Mismatch {
	return session.MismatchOf(m.entry, m.state)
}

// follow waits for the next state of the watch.
func (m *Model) follow() tea.Cmd {
	w, last := m.watch, m.state
	return m.nextState.Then(m.onState).Ask(m.Scope, func(ctx context.Context) (session.WatchState, error) { return w.Next(ctx, last) })
}

// onState shows the state of now, since a key may have overtaken the message that there is another, and waits for the one after it.
func (m *Model) onState(a ui.Result[session.WatchState]) tea.Cmd {
	if a.Err != nil { // the screen is being left
		return nil
	}
	return tea.Batch(m.show(m.watch.State()), m.follow())
}

// show shows a state. It raises an alert if the payment has just become final, or a mismatch.
func (m *Model) show(s session.WatchState) tea.Cmd {
	rings := s.SettledHere && !m.state.SettledHere || !s.Difference.IsZero() && m.state.Difference.IsZero()
	lost := s.Phase == session.NotFound && m.state.Phase != session.NotFound
	m.state = s
	m.reload()
	cmds := []tea.Cmd{m.setTimer()}
	if rings {
		cmds = append(cmds, m.alerts.Raise(present.Settled(m.reference, s.History.Shown, m.mismatch().InDoubt(), "")))
	}
	if lost {
		cmds = append(cmds, m.respell())
	}
	return tea.Batch(cmds...)
}

// respell asks whether a payment that the service does not know is known here by another spelling: case
// counts, and a reference is often read out or typed by hand.
func (m *Model) respell() tea.Cmd {
	p, r := m.payments, m.reference
	return m.spelledCall.Then(func(a ui.Result[api.Reference]) tea.Cmd {
		m.spelled = a.Value
		return nil
	}).Ask(m.Scope, func(ctx context.Context) (api.Reference, error) { return p.Respelled(ctx, r) })
}

// lookUpSpelled looks up the payment by the reference as it is spelled here.
func (m *Model) lookUpSpelled() tea.Cmd {
	if m.spelled == "" {
		return nil
	}
	return nav.ReplaceWith(nav.Payment{Reference: m.spelled})
}

// setTimer sets the timer to when the time left or the words about the checks change, or drops it if neither
// does. Nothing is drawn in between, which counts over a slow connection.
func (m *Model) setTimer() tea.Cmd {
	wait := m.nextChange()
	if wait <= 0 {
		m.timer.Drop()
		return nil
	}
	return m.timer.Then(m.onTimer).Ask(m.Scope, func(ctx context.Context) (tea.Msg, error) {
		return ui.After(ctx, wait, nil)(), ctx.Err()
	})
}

// nextChange is the time until something on the screen changes by itself; 0 for never.
func (m *Model) nextChange() (wait time.Duration) {
	k, s := m.subject(), &m.state
	next := []time.Duration{m.entry.FinalizeAgainAt().Sub(k.Now)}
	if k.MayPay() {
		next = append(next, present.NextSecond(*k.Account, k.Now))
	}
	if s.Checking {
		next = append(next, time.Second-session.Age(s.CheckingAt, k.Now)%time.Second)
	}
	switch {
	case m.stale():
		age, unit := session.Age(s.ReportedAt, k.Now), time.Minute
		if age >= time.Hour { // as the words have it
			unit = time.Hour
		}
		next = append(next, unit-age%unit)
	case m.mayAlert() && s.Wait > 0 && !s.ReportedAt.IsZero():
		next = append(next, s.StaleAt().Sub(k.Now))
	}
	for _, in := range next {
		if in > 0 && (wait == 0 || in < wait) {
			wait = in
		}
	}
	return wait
}

// onTimer shows what has changed with time. The request is not repeated: the watch decides when.
func (m *Model) onTimer(a ui.Result[tea.Msg]) tea.Cmd {
	if a.Err != nil { // the screen is being left
		return nil
	}
	return m.show(m.watch.Refresh())
}

// pause pauses the checks, or resumes them.
func (m *Model) pause() tea.Cmd {
	if !m.watch.Resume() && !m.watch.Pause() {
		return m.Notify("Not checking. Press r to check now.")
	}
	return m.show(m.watch.State())
}
