package watch

import "time"

// How often a status is requested (R47).
const (
	firstWait         = 2 * time.Second
	longestWait       = 30 * time.Second // between two requests that were answered
	longestRetryAfter = 5 * time.Minute  // the longest wait a service may ask for
	watchLimit        = 15 * time.Minute // of watching, before a person has to ask for more
	afterExpiry       = 10 * time.Minute // how long a transfer is watched after its account expired
)

// A backoff says how long to wait until the next request: 2 s growing by half each time to
// 30 s, half of each wait being random so that many consoles do not ask together.
type backoff struct {
	base   time.Duration                     // the wait before jitter
	jitter func(time.Duration) time.Duration // a random part in [0, d); d is above 0
}

// restart begins with the shortest wait.
func (b *backoff) restart() { b.base = 0 }

// next is the wait until the next request. requested is how long the service asked to wait, 0
// when it did not; tooMany says that it asked for fewer requests. See [api.Backoff].
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
