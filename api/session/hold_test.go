package session_test

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"paydesk/api"
	"paydesk/api/session"
)

// busyThird answers the third request of all with an error, and all others with PENDING.
func busyThird(s *polled, busy error) {
	s.takes = func() time.Duration { return 50 * time.Millisecond }
	n := 0
	s.answer = func(r api.Reference, _ int) (api.PaymentStatus, error) {
		s.mu.Lock()
		defer s.mu.Unlock()
		if n++; n == 3 {
			return api.PaymentStatus{}, busy
		}
		return api.PaymentStatus{Reference: r, Status: api.ParseStatus("PENDING")}, nil
	}
}

// requests are the times of all requests so far.
func (s *polled) requests() []time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.all)
}

func TestABusyServiceIsAskedAboutNoPaymentBeforeItsTime(t *testing.T) {
	for name, c := range map[string]struct {
		busy error
		wait time.Duration
	}{
		"429":                     {&api.Refusal{HTTP: 429, RetryAfter: 30 * time.Second}, 30 * time.Second},
		"503":                     {&api.Failure{HTTP: 503, RetryAfter: 30 * time.Second}, 30 * time.Second},
		"a day":                   {&api.Refusal{HTTP: 429, RetryAfter: 24 * time.Hour}, 5 * time.Minute},
		"429 without Retry-After": {&api.Refusal{HTTP: 429}, 2 * time.Second},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := &polled{}
			busyThird(s, c.busy)
			w := newScheduler(t, s)
			b := w.Board()
			defer b.Close()
			b.Follow(references(50))
			advance(200 * time.Millisecond)
			sent := s.requests()
			before, end := len(sent), sent[0].Add(50*time.Millisecond+c.wait)
			if before > 7 { // the four at once, and one for each answer that came before
				t.Errorf("%s: %d requests before the service was obeyed", name, before)
			}
			b.Check() // by a person
			for _, r := range references(50) {
				if state, _ := b.State(r); state.Phase != session.Polling || state.Due.Before(end) {
					t.Errorf("%s: %s is due at %v, before %v", name, r, state.Due, end)
				}
			}
			if advance(time.Until(end) - 10*time.Millisecond); len(s.requests()) != before {
				t.Errorf("%s: %d requests during the wait", name, len(s.requests())-before)
			}
			advance(30 * time.Second)
			for _, r := range references(50) {
				if s.count(r) == 0 {
					t.Errorf("%s: %s was never requested", name, r)
				}
			}
			sent = s.requests()
			for i := range sent {
				if i >= 10 && sent[i].Sub(sent[i-10]) < time.Second {
					t.Fatalf("%s: 11 requests within %v", name, sent[i].Sub(sent[i-10]))
				}
			}
		})
	}
}
