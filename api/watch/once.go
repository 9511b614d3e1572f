package watch

import (
	"context"
	"slices"
	"time"

	"paydesk/api"
)

// CheckInPassing requests the status of a payment once, as [Scheduler.CheckOnce] does and within the same bounds, for an event
// about it. It comes after the payments that somebody watches, and among those of standing watches when it is its turn. Unless it is
// to be recorded, or the payment is watched, its request is one of [api.Unrecorded]: an event may be made up.
func (s *Scheduler) CheckInPassing(ctx context.Context, r api.Reference, record bool) (State, error) {
	w := s.join(r, func(p *payment) *Watch { return &Watch{scheduler: s, payment: p, passing: true, recorded: record} })
	defer w.Close()
	state := w.State()
	for state.Checking {
		var err error
		if state, err = w.Next(ctx, state); err != nil {
			return state, err
		}
	}
	return state, nil
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

// Watched reports whether a payment is watched.
func (s *Scheduler) Watched(r api.Reference) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.watched {
		if p.state.Reference == r && !p.passing() {
			return true
		}
	}
	return false
}

// passing reports whether nobody watches the payment but [Scheduler.CheckInPassing].
func (p *payment) passing() bool {
	for _, w := range p.users {
		if !w.passing {
			return false
		}
	}
	return true
}

// requestContext returns what a request of the payment ends with.
func (p *payment) requestContext() context.Context {
	if !slices.ContainsFunc(p.users, func(w *Watch) bool { return !w.once }) {
		return api.Retried(p.ctx)
	}
	for _, w := range p.users {
		if !w.passing || w.recorded {
			return p.ctx
		}
	}
	return api.Unrecorded(p.ctx)
}
