package session

import (
	"context"
	"sync"
)

// sending counts the POSTs that are being recorded, sent or waited for. It is safe for concurrent use.
type sending struct {
	mu    sync.Mutex
	n     int
	quiet chan struct{} // closed once n is 0 again; nil while it is
}

// begin counts one, until end.
func (s *sending) begin() (end func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.n++; s.n == 1 {
		s.quiet = make(chan struct{})
	}
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.n--; s.n == 0 {
			close(s.quiet)
			s.quiet = nil
		}
	}
}

// Sending reports whether something is being sent that may move money, from before it is recorded until it
// is answered.
func (t *Tracker) Sending() bool {
	t.sending.mu.Lock()
	defer t.sending.mu.Unlock()
	return t.sending.n > 0
}

// Quiet returns once nothing is being sent that may move money.
func (t *Tracker) Quiet(ctx context.Context) error {
	for {
		t.sending.mu.Lock()
		quiet := t.sending.quiet
		t.sending.mu.Unlock()
		if quiet == nil {
			return nil
		}
		select {
		case <-quiet:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
