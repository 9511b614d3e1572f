package watch

import (
	"context"
	"errors"
	"slices"
	"time"
)

// A Watch is one look at a payment that a [Scheduler] watches. Several may share one payment
// and its requests; each pauses for itself.
type Watch struct {
	scheduler *Scheduler
	payment   *payment
	paused    bool
	closed    bool
}

// ErrClosed is the error of waiting on a watch that was closed.
var ErrClosed = errors.New("the payment is no longer watched")

// State is how the watch stands.
func (w *Watch) State() State {
	w.scheduler.mu.Lock()
	defer w.scheduler.mu.Unlock()
	return w.state()
}

func (w *Watch) state() State {
	state := w.payment.state
	state.History = state.History.clone()
	if w.paused && state.Phase == Polling {
		state.Phase = Paused
	}
	return state
}

// Next returns the state once it is another than the one that was seen last. It waits for that
// until ctx ends, or with [ErrClosed] until the watch is closed.
func (w *Watch) Next(ctx context.Context, last State) (State, error) {
	version := last.version
	for {
		w.scheduler.mu.Lock()
		state, closed := w.state(), w.closed
		w.scheduler.mu.Unlock()
		switch {
		case closed:
			return last, ErrClosed
		case state.version != last.version:
			return state, nil
		}
		var err error
		if version, err = w.scheduler.Next(ctx, version); err != nil {
			return last, err
		}
	}
}

// Refresh takes what else is known of the payment by now, without a request; now is for the
// history.
func (w *Watch) Refresh(now time.Time) State {
	s, p := w.scheduler, w.payment
	s.mu.Lock()
	defer s.mu.Unlock()
	if p.state.update(s.o.Payments.Subject(p.state.Reference), now) {
		s.touch(p)
	}
	return w.state()
}

// Check requests the status now and begins the watch again; false when a request is under way,
// or the watch was closed. A watch that is paused stays so.
func (w *Watch) Check() bool {
	w.scheduler.mu.Lock()
	defer w.scheduler.mu.Unlock()
	return !w.closed && w.scheduler.check(w.payment)
}

// Pause requests nothing more for this watch by itself; false when nothing is requested anyway.
func (w *Watch) Pause() bool {
	s, p := w.scheduler, w.payment
	s.mu.Lock()
	defer s.mu.Unlock()
	if w.paused || p.state.Phase != Polling {
		return false
	}
	w.paused = true
	if p.polled() { // for somebody else
		s.touch(p)
	} else {
		s.unqueue(p)
	}
	return true
}

// Resume goes on after [Watch.Pause], with a request now; false when it was not paused.
func (w *Watch) Resume() bool {
	s, p := w.scheduler, w.payment
	s.mu.Lock()
	defer s.mu.Unlock()
	if !w.paused {
		return false
	}
	w.paused = false
	s.touch(p)
	s.check(p)
	return true
}

// Acknowledge records that a person has seen that the amount is another (R32).
func (w *Watch) Acknowledge() {
	s, p := w.scheduler, w.payment
	s.mu.Lock()
	defer s.mu.Unlock()
	p.state.Amount.acknowledged = p.state.Amount.Mismatch
	s.touch(p)
}

// Close ends this look. The last one ends the watch, and a request that is under way.
func (w *Watch) Close() {
	s, p := w.scheduler, w.payment
	s.mu.Lock()
	defer s.mu.Unlock()
	if w.closed {
		return
	}
	w.closed = true
	s.touch(p) // for who waits
	p.users = slices.DeleteFunc(p.users, func(u *Watch) bool { return u == w })
	if len(p.users) > 0 {
		return
	}
	p.stop()
	s.watched = slices.DeleteFunc(s.watched, func(q *payment) bool { return q == p })
	if len(s.watched) == 0 {
		s.sleep()
	}
}
