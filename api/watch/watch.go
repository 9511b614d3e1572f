// Package watch polls the status of payments until each settles: any number of them, through one
// [Scheduler], without a screen.
//
//   - backoff.go: how long to wait between two requests, what a service that is busy postpones, and the slower pace of
//     payments that are watched for hours;
//   - payment.go: a payment with its reported amount and statuses, of which a final one never changes back; what an answer
//     changes, and when polling ends;
//   - scheduler.go: which request is next, within the bounds for all of them;
//   - board.go: the payments of a list, and a payment that a webhook names.
//
// A screen with one payment, a board of twenty and a command that prints lines use the same [Watch]
// and differ only in what they draw. See the example of package session.
package watch

import (
	"context"
	"errors"
	"slices"
)

// A Watch follows one payment of a [Scheduler]. Several watches may share one payment and its
// requests; each can be paused on its own.
type Watch struct {
	scheduler *Scheduler
	payment   *payment
	standing  bool // it goes on until the payment settles, see [Scheduler.Standing]
	passing   bool // it is for one request, see [Scheduler.CheckInPassing]
	recorded  bool // which is recorded
	once      bool // it is for one answer, see [Scheduler.CheckOnce]
	paused    bool
	closed    bool
}

// ErrClosed is the error of waiting for a closed watch.
var ErrClosed = errors.New("the payment is no longer watched")

// State is the current state.
func (w *Watch) State() State {
	w.scheduler.mu.Lock()
	defer w.scheduler.mu.Unlock()
	return w.state()
}

func (w *Watch) state() State {
	state := w.payment.state
	state.Standing = w.payment.standing()
	if w.paused && state.Phase == Polling {
		state.Phase = Paused
	}
	return state
}

// Next waits until the state differs from last and returns it. It fails when ctx ends, or with
// [ErrClosed] when the watch is closed.
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

// Refresh updates what else is known about the payment, without a request.
func (w *Watch) Refresh() State {
	s, p := w.scheduler, w.payment
	s.mu.Lock()
	defer s.mu.Unlock()
	if p.state.update(s.service.Subject(p.state.Reference)) {
		s.touch(p)
	}
	return w.state()
}

// Check requests the status now, or once the service allows it, and restarts the watch. It returns false when a request is under
// way or the watch is closed. A paused watch stays paused.
func (w *Watch) Check() bool {
	w.scheduler.mu.Lock()
	defer w.scheduler.mu.Unlock()
	return !w.closed && w.scheduler.check(w.payment)
}

// Pause stops automatic requests for this watch. It returns false when there are none.
func (w *Watch) Pause() bool {
	s, p := w.scheduler, w.payment
	s.mu.Lock()
	defer s.mu.Unlock()
	if w.paused || p.state.Phase != Polling {
		return false
	}
	w.paused = true
	if p.polled() { // for another watch
		s.touch(p)
	} else {
		s.unqueue(p)
	}
	return true
}

// Resume continues after [Watch.Pause], with a request now. It returns false when the watch was not
// paused.
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

// Close ends this watch. The last one of a payment also cancels a request that is under way.
func (w *Watch) Close() {
	s, p := w.scheduler, w.payment
	s.mu.Lock()
	defer s.mu.Unlock()
	if w.closed {
		return
	}
	w.closed = true
	s.touch(p) // wakes [Watch.Next]
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
