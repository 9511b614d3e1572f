package watch

import "time"

// How often a status is checked.
const (
	firstWait         = 2 * time.Second
	longestWait       = 30 * time.Second // between two answered requests
	longestRetryAfter = 5 * time.Minute  // the longest Retry-After that is honoured
	watchLimit        = 15 * time.Minute // how long a payment is polled before a person has to restart that
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

// next is the wait before the next request. requested is the Retry-After of the last response, or
// 0; tooMany is whether it rejected the request as one too many. See [api.Backoff].
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
