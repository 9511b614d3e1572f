package session

import (
	"slices"
	"time"
)

// The pace at which a status is checked.
const (
	firstWait         = 2 * time.Second
	longestWait       = 30 * time.Second // between two answered requests
	longestRetryAfter = 5 * time.Minute  // the longest Retry-After that is honoured
	watchLimit        = 15 * time.Minute // how long a payment is polled before a person has to restart it
	afterExpiry       = 10 * time.Minute // how long a transfer is polled after its account expired
)

// A backoff is the wait before the next request: 2 s, growing by half each time to 30 s. Half of
// each wait is random, so that many consoles do not poll in step.
type backoff struct {
	base   time.Duration                     // the wait before jitter
	jitter func(time.Duration) time.Duration // a random part in [0, d); d is above 0
}

// restart goes back to the shortest wait.
func (b *backoff) restart() { b.base = 0 }

// next returns the wait before the next request. requested is the Retry-After of the last response, or
// 0; tooMany is set where it rejected the request as one too many.
func (b *backoff) next(requested time.Duration, tooMany bool) time.Duration {
	switch {
	case b.base == 0:
		b.base = firstWait
	case tooMany && requested <= 0:
		b.base = min(2*b.base, longestRetryAfter)
	default:
		b.base = min(b.base*3/2, longestWait)
	}
	if requested > 0 {
		return min(requested, longestRetryAfter)
	}
	return b.base/2 + b.jitter(b.base/2+1)
}

// hold begins no request before a time. What is due or queued earlier is postponed to it.
func (s *Scheduler) hold(until, now time.Time) {
	if !until.After(s.held) {
		return
	}
	s.held = until
	for _, p := range s.watched {
		if p.queued || p.polled() && !p.state.Checking {
			s.postpone(p, now)
		}
	}
}

// postpone moves the next request of a payment to the end of the hold, if it is due before that. A check that was
// asked for stays queued, since a caller waits for its answer; one that was only due leaves the queue.
func (s *Scheduler) postpone(p *watchedPayment, now time.Time) {
	if !now.Before(s.held) || !p.state.Due.Before(s.held) {
		return
	}
	p.state.Due = s.held
	p.state.Wait = max(p.state.Wait, s.held.Sub(now))
	switch {
	case p.queued && !p.turn.IsZero():
		s.unqueue(p)
	case p.queued:
		p.state.CheckingAt = s.held
		s.touch(p)
	default:
		s.touch(p)
	}
}

// The pace of payments that only standing watches follow. No person looks at them, and there may be hundreds.
const (
	standingShare = 500 * time.Millisecond // the wait for each of them, so that all together take two requests a second
	standingWait  = time.Minute            // the least wait once a watch of another kind would have ended
)

// Standing returns a board whose watches go on until each payment settles, however long that takes. They are
// slower than others, and come after them, while only such watches follow the payment.
func (s *Scheduler) Standing() *Board {
	b := s.Board()
	b.as.standing = true
	return b
}

// standing reports whether the payment is polled until it settles.
func (p *watchedPayment) standing() bool {
	return slices.ContainsFunc(p.users, func(w *Watch) bool { return w.standing && !w.paused })
}

// unattended reports whether no person looks at the payment.
func (p *watchedPayment) unattended() bool {
	return !slices.ContainsFunc(p.users, func(w *Watch) bool { return !w.standing && !w.paused && !w.passing })
}

// pace returns the wait before the next request, where the backoff of the payment says wait.
func (s *Scheduler) pace(p *watchedPayment, wait time.Duration, now time.Time) time.Duration {
	if !p.standing() {
		return wait
	}
	late := !p.state.Begun.IsZero() && !now.Before(p.state.Until())
	if late {
		wait = max(wait, standingWait)
	}
	if !late && !p.unattended() {
		return wait
	}
	round, last := time.Duration(0), now // of one request for each, and when the last of them is due
	for _, q := range s.watched {
		if !q.standing() || !q.polled() {
			continue
		}
		round += standingShare
		if q != p && q.state.Due.After(last) {
			last = q.state.Due
		}
	}
	// After the last of them, so that they are spread evenly, unless that one waits for longer than the others.
	return max(wait, min(last.Sub(now)+standingShare, round+s.jitter(round/4+1)))
}
