package session

import (
	"context"
	"slices"
	"sync"
	"time"

	"paydesk/api"
)

// A Board follows the payments that a list shows, each by a [Watch] of its own, so that they share
// requests and bounds with everything else that is watched. It is safe for concurrent use.
type Board struct {
	scheduler *Scheduler
	as        Watch // how each payment is watched
	mu        sync.Mutex
	watches   map[api.Reference]*Watch // nil once closed
}

// Board returns a board that follows nothing yet. Close it when the list is no longer needed.
func (s *Scheduler) Board() *Board {
	return &Board{scheduler: s, watches: map[api.Reference]*Watch{}}
}

// Follow begins to watch those of the payments that are not followed yet, which requests their status
// now, and ends the watches of all others.
func (b *Board) Follow(payments []api.Reference) {
	b.mu.Lock()
	defer b.mu.Unlock()
	wanted := map[api.Reference]bool{}
	for _, r := range payments {
		wanted[r] = true
		if b.watches != nil && b.watches[r] == nil {
			b.watches[r] = b.scheduler.join(r, b.as)
		}
	}
	for r, w := range b.watches {
		if !wanted[r] {
			w.Close()
			delete(b.watches, r)
		}
	}
}

// State is the state of a payment that is followed, here or elsewhere.
func (b *Board) State(r api.Reference) (WatchState, bool) { return b.scheduler.State(r) }

// Check requests the status of all that is followed now.
func (b *Board) Check() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, w := range b.watches {
		w.Check()
	}
}

// Close ends all watches. Nothing is followed any more, whatever [Board.Follow] is asked for.
func (b *Board) Close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, w := range b.watches {
		w.Close()
	}
	b.watches = nil
}

// CheckOnce requests the status of each of the payments once; what fails for a moment is tried again, as no schedule does
// that. It returns their states when all have been answered, in the same order, or fails when ctx or the scheduler's own
// context ends.
func (s *Scheduler) CheckOnce(ctx context.Context, payments []api.Reference) (states []WatchState, err error) {
	var all []*Watch
	for _, r := range payments {
		w := s.join(r, Watch{once: true})
		defer w.Close()
		all = append(all, w)
	}
	for _, w := range all {
		state, err := w.answered(ctx)
		if err != nil {
			return nil, err
		}
		states = append(states, state)
	}
	return states, nil
}

// CheckInPassing requests the status of a payment once, as [Scheduler.CheckOnce] does and within the same bounds, for one of
// its events. It comes after the payments that a person watches, and among those of standing watches when it is its turn. Unless it is
// to be recorded, or the payment is watched, its request is one of [api.Unrecorded]: an event may be made up.
func (s *Scheduler) CheckInPassing(ctx context.Context, r api.Reference, record bool) (WatchState, error) {
	w := s.join(r, Watch{passing: true, recorded: record})
	defer w.Close()
	return w.answered(ctx)
}

// answered waits until no request of the payment is under way or queued.
func (w *Watch) answered(ctx context.Context) (state WatchState, err error) {
	for state = w.State(); state.Checking && err == nil; {
		state, err = w.Next(ctx, state)
	}
	return state, err
}

// CheckSince requests the status of a payment that is watched, unless the service answered about it after a time. It does
// nothing for other payments, and once the key was rejected.
func (s *Scheduler) CheckSince(r api.Reference, at time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.watched {
		if p.state.Reference == r && !p.passing() && !p.state.AnsweredAt.After(at) && p.state.Phase != KeyRejected {
			s.check(p)
		}
	}
}

// State is the state of a payment that is watched.
func (s *Scheduler) State(r api.Reference) (state WatchState, watched bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.watched {
		if p.state.Reference == r && !p.passing() {
			return p.state, true
		}
	}
	return state, false
}

// passing reports whether only [Scheduler.CheckInPassing] watches the payment.
func (p *watchedPayment) passing() bool {
	return !slices.ContainsFunc(p.users, func(w *Watch) bool { return !w.passing })
}

// requestContext returns what a request of the payment ends with.
func (p *watchedPayment) requestContext() context.Context {
	if !slices.ContainsFunc(p.users, func(w *Watch) bool { return !w.once }) {
		return api.Retried(p.ctx)
	}
	if slices.ContainsFunc(p.users, func(w *Watch) bool { return !w.passing || w.recorded }) {
		return p.ctx
	}
	return api.Unrecorded(p.ctx)
}
