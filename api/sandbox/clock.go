package sandbox

import (
	"math"
	"time"
)

// now is the sandbox's clock: the one it was given, and what Forward added.
func (s *Sandbox) now() time.Time {
	return s.clock().Add(time.Duration(s.ahead.Load()))
}

// Ahead is how far Forward has moved the clock on in all.
func (s *Sandbox) Ahead() time.Duration { return time.Duration(s.ahead.Load()) }

// Forward moves the sandbox's clock on, so that what takes time has taken it: payments
// settle, accounts expire, webhooks are tried again. There is no way back: a d that
// is not positive does nothing, and 292 years in all are the most.
func (s *Sandbox) Forward(d time.Duration) {
	if d <= 0 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if ahead := s.ahead.Load(); int64(d) > math.MaxInt64-ahead {
		s.ahead.Store(math.MaxInt64)
	} else {
		s.ahead.Store(ahead + int64(d))
	}
	s.nudge()
}
