package session

import (
	"context"
	"errors"
	"slices"
)

// A Watch follows one payment of a [Scheduler]. Several watches may share one payment and its
// requests; each can be paused on its own.
type Watch struct {
	scheduler *Scheduler
	payment   *watchedPayment
	standing  bool // it goes on until the payment settles, see [Scheduler.Standing]
	passing   bool // it is for one request, see [Scheduler.CheckInPassing]
	recorded  bool // which is recorded
	once      bool // it is for one answer, see [Scheduler.CheckOnce]
	paused    bool
	closed    bool
}

// ErrNotWatched is the error of waiting for a closed watch.
var ErrNotWatched = errors.New("the payment is no longer watched")

// State is the current state.
func (w *Watch) State() WatchState {
	w.scheduler.mu.Lock()
	defer w.scheduler.mu.Unlock()
	return w.state()
}

func (w *Watch) state() WatchState {
	state := w.payment.state
	if w.paused && state.Phase == Polling {
		state.Phase = Paused
	}
	return state
}

// Next waits until the state differs from last and returns it. It fails when ctx ends, or with
// [ErrNotWatched] when the watch is closed.
func (w *Watch) Next(ctx context.Context, last WatchState) (WatchState, error) {
	version := last.version
	for {
		w.scheduler.mu.Lock()
		state, closed := w.state(), w.closed
		w.scheduler.mu.Unlock()
		switch {
		case closed:
			return last, ErrNotWatched
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
func (w *Watch) Refresh() WatchState {
	s, p := w.scheduler, w.payment
	s.mu.Lock()
	defer s.mu.Unlock()
	if p.state.update(s.known(p.state.Reference)) {
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
	s.watched = slices.DeleteFunc(s.watched, func(q *watchedPayment) bool { return q == p })
	if len(s.watched) == 0 {
		s.sleep()
	}
}
