package watch

import (
	"slices"
	"time"
)

// The pace of payments that only standing watches follow. Nobody looks at them, and there may be hundreds.
const (
	standingShare = 500 * time.Millisecond // the wait for each of them, so that all together take two requests a second
	standingWait  = time.Minute            // the least wait once a watch of another kind would have ended
)

// Standing returns a board whose watches go on until each payment settles, however long that takes. They are
// slower than others, and come after them, while nobody else watches the same payment.
func (s *Scheduler) Standing() *Board {
	b := s.Board()
	b.standing = true
	return b
}

// standing reports whether the payment is polled until it settles.
func (p *payment) standing() bool {
	return slices.ContainsFunc(p.users, func(w *Watch) bool { return w.standing && !w.paused })
}

// unattended reports whether nobody looks at the payment.
func (p *payment) unattended() bool {
	return !slices.ContainsFunc(p.users, func(w *Watch) bool { return !w.standing && !w.paused && !w.passing })
}

// pace is the wait before the next request, where the backoff of the payment says wait.
func (s *Scheduler) pace(p *payment, wait time.Duration, now time.Time) time.Duration {
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
