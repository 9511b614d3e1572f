package payment

import "time"

// How often a status is asked for (R47).
const (
	firstWait   = 2 * time.Second
	longest     = 30 * time.Second // between two questions that were answered
	mostAsked   = 5 * time.Minute  // the longest wait a service may ask for
	patience    = 15 * time.Minute // of watching, before a person has to ask for more
	afterExpiry = 10 * time.Minute // how long a transfer is watched after its account expired
)

// A pace says how long to wait until the next question: 2 s growing by half each
// time to 30 s, half of each wait being random so that many consoles do not ask together.
type pace struct {
	base   time.Duration                     // the wait before jitter
	jitter func(time.Duration) time.Duration // a random part in [0, d); d is above 0
}

// restart begins with the shortest wait.
func (p *pace) restart() { p.base = 0 }

// next is the wait until the next question. asked is how long the service asked to
// wait, 0 when it did not; tooMany says that it asked for fewer questions.
func (p *pace) next(asked time.Duration, tooMany bool) time.Duration {
	switch {
	case p.base == 0:
		p.base = firstWait
	case tooMany && asked <= 0:
		p.base = min(2*p.base, mostAsked)
	default:
		p.base = min(p.base*3/2, longest)
	}
	if asked > 0 {
		return min(asked, mostAsked)
	}
	return p.base/2 + p.jitter(p.base/2+1)
}
