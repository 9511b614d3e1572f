package watch

import (
	"time"

	"paydesk/api"
)

// answeredBusy reports whether an answer asks for fewer requests: it is an HTTP 429, or has a Retry-After. The
// service counts the requests of an account, not those about one payment.
func answeredBusy(err error) bool {
	requested, tooMany := api.Backoff(err)
	return requested > 0 || tooMany
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
// asked for stays queued, since somebody waits for its answer; one that was only due leaves the queue.
func (s *Scheduler) postpone(p *payment, now time.Time) {
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
