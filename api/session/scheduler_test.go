package session_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"paydesk/api"
	"paydesk/api/session"
)

// A polled service answers about payments as a test defines, and records when it was requested. It is used
// with fake time.
type polled struct {
	mu     sync.Mutex
	answer func(r api.Reference, n int) (api.PaymentStatus, error) // n counts the requests of one payment from 1
	takes  func() time.Duration
	times  map[api.Reference][]time.Time
	all    []time.Time
	open   int
	most   int
	// finalized reports whether a finalize was accepted.
	finalized atomic.Bool
}

func (s *polled) Transaction(ctx context.Context, r api.Reference) (api.PaymentStatus, error) {
	s.mu.Lock()
	if s.times == nil {
		s.times = map[api.Reference][]time.Time{}
	}
	s.times[r], s.all = append(s.times[r], time.Now()), append(s.all, time.Now())
	n := len(s.times[r])
	s.open++
	s.most = max(s.most, s.open)
	s.mu.Unlock()
	defer func() { s.mu.Lock(); s.open--; s.mu.Unlock() }()
	if s.takes != nil {
		select {
		case <-time.After(s.takes()):
		case <-ctx.Done():
			return api.PaymentStatus{}, ctx.Err()
		}
	}
	return s.answer(r, n)
}

func (s *polled) count(r api.Reference) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.times[r])
}

func (s *polled) WatchSubject(api.Reference) session.WatchSubject {
	return session.WatchSubject{Finalized: s.finalized.Load()}
}

// reporting answers with status words, repeating the last one forever.
func reporting(words ...string) func(api.Reference, int) (api.PaymentStatus, error) {
	return func(r api.Reference, n int) (api.PaymentStatus, error) {
		return api.PaymentStatus{Reference: r, Status: api.ParseStatus(words[min(n, len(words))-1])}, nil
	}
}

func maxJitter(d time.Duration) time.Duration { return d - 1 }

// newScheduler is a scheduler in front of a service, with the longest waits.
func newScheduler(t *testing.T, s *polled) *session.Scheduler {
	t.Helper()
	ctx, end := context.WithCancel(t.Context())
	t.Cleanup(end)
	return session.NewScheduler(ctx, s, maxJitter)
}

// advance lets time pass and everything due happen.
func advance(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

func references(n int) (all []api.Reference) {
	for i := range n {
		all = append(all, api.Reference(fmt.Sprintf("REF%03d", i)))
	}
	return all
}

func TestRequestsStayWithinTheBoundsForAnyNumberOfWatches(t *testing.T) {
	slow := func(r *rand.Rand) time.Duration { return time.Duration(r.IntN(2500)) * time.Millisecond }
	quick := func(r *rand.Rand) time.Duration { return time.Duration(r.IntN(40)) * time.Millisecond }
	for name, c := range map[string]struct {
		payments int
		takes    func(*rand.Rand) time.Duration
		least    int // requests in five minutes
	}{
		"twenty": {20, slow, 200}, "two hundred, answered at once": {200, quick, 2000},
	} {
		synctest.Test(t, func(t *testing.T) {
			r := rand.New(rand.NewPCG(uint64(c.payments), 7))
			s := &polled{answer: reporting("PENDING")}
			s.takes = func() time.Duration {
				s.mu.Lock()
				defer s.mu.Unlock()
				return c.takes(r)
			}
			w := newScheduler(t, s)
			for _, ref := range references(c.payments) {
				defer w.Watch(ref).Close()
			}
			advance(5 * time.Minute)
			if s.most > 4 {
				t.Errorf("%s: %d requests at once", name, s.most)
			}
			for i := range s.all {
				if i >= 10 && s.all[i].Sub(s.all[i-10]) < time.Second {
					t.Fatalf("%s: 11 requests within %v", name, s.all[i].Sub(s.all[i-10]))
				}
			}
			if len(s.all) < c.least {
				t.Errorf("%s: only %d requests", name, len(s.all))
			}
			for _, ref := range references(c.payments) { // and none starves
				if got := s.count(ref); got < 2 {
					t.Errorf("%s: %s was requested %d times in five minutes", name, ref, got)
				}
			}
		})
	}
}

func TestAPausedSchedulerBeginsNoRequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &polled{answer: reporting("PENDING")}
		w := newScheduler(t, s)
		w.Pause()
		for _, ref := range references(20) {
			defer w.Watch(ref).Close()
		}
		if advance(time.Hour); len(s.all) != 0 {
			t.Errorf("%d requests", len(s.all))
		}
		w.Resume()
		if advance(3 * time.Second); len(s.all) < 20 {
			t.Errorf("%d requests after the pause", len(s.all))
		}
	})
}

func TestAManualCheckComesBeforeDueRequests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &polled{answer: reporting("PENDING"), takes: func() time.Duration { return time.Second }}
		w := newScheduler(t, s)
		all := map[api.Reference]*session.Watch{}
		for _, ref := range references(100) {
			all[ref] = w.Watch(ref)
			defer all[ref].Close()
		}
		advance(2 * time.Minute) // there is always a queue: 4 a second for 100 payments
		mine := all["REF099"]
		for mine.State().Checking {
			advance(time.Second)
		}
		n := s.count("REF099")
		if !mine.Check() {
			t.Fatal("it is being checked")
		}
		if advance(2 * time.Second); s.count("REF099") != n+1 {
			t.Error("it waits behind the others")
		}
	})
}

func TestARejectedKeyEndsAllRequestsUntilThereIsAnother(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		accepted := false
		s := &polled{takes: func() time.Duration { return 100 * time.Millisecond }}
		s.answer = func(r api.Reference, n int) (api.PaymentStatus, error) {
			if !accepted {
				return api.PaymentStatus{}, &api.Refusal{HTTP: 401}
			}
			return api.PaymentStatus{Reference: r, Status: api.ParseStatus("PENDING")}, nil
		}
		w := newScheduler(t, s)
		all := map[api.Reference]*session.Watch{}
		for _, ref := range references(20) {
			all[ref] = w.Watch(ref)
			defer all[ref].Close()
		}
		advance(time.Hour)
		if len(s.all) > 4 { // those that were under way
			t.Errorf("the rejected key was sent %d times", len(s.all))
		}
		for ref, x := range all {
			if state := x.State(); state.Phase != session.KeyRejected || state.Checking {
				t.Errorf("%s: %+v", ref, state)
			}
		}
		before := len(s.all)
		all["REF007"].Check() // by a person
		if advance(time.Minute); len(s.all) != before+1 {
			t.Errorf("%d requests by one key press", len(s.all)-before)
		}
		accepted = true
		w.KeyReplaced()
		advance(10 * time.Second)
		for ref, x := range all {
			if state := x.State(); state.Phase != session.Polling || state.History.Shown.State != api.Pending {
				t.Errorf("%s: %+v", ref, state)
			}
		}
	})
}

func TestALateRejectionOfAReplacedKeyIsIgnored(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &polled{takes: func() time.Duration { return time.Minute }}
		s.answer = func(r api.Reference, n int) (api.PaymentStatus, error) {
			if n == 1 {
				return api.PaymentStatus{}, &api.Refusal{HTTP: 401}
			}
			return api.PaymentStatus{Reference: r, Status: api.ParseStatus("PENDING")}, nil
		}
		w := newScheduler(t, s)
		x := w.Watch("REF")
		defer x.Close()
		advance(time.Second)
		w.KeyReplaced()
		if advance(3 * time.Minute); x.State().Phase != session.Polling || x.State().History.Shown.State != api.Pending {
			t.Errorf("%+v", x.State())
		}
	})
}

func TestACallThatPanicsIsAnErrorThatQuotesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &polled{answer: func(api.Reference, int) (api.PaymentStatus, error) { panic("4242424242424242") }}
		x := newScheduler(t, s).Watch("REF")
		defer x.Close()
		advance(time.Second)
		if err := x.State().Err; err == nil || strings.Contains(err.Error(), "4242") {
			t.Errorf("it says %v", err)
		}
		if advance(time.Minute); s.count("REF") < 5 {
			t.Errorf("it was requested %d times", s.count("REF"))
		}
	})
}
