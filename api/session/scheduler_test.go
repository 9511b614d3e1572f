package session_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
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

// requests are when something was asked.
func (s *polled) requests() []time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.all)
}

func (s *polled) mostAtOnce() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.most
}

func (s *polled) Find(api.Reference) (e session.Entry, ours bool) {
	e.Finalized = s.finalized.Load()
	return e, false
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
			if s.mostAtOnce() > 4 {
				t.Errorf("%s: %d requests at once", name, s.mostAtOnce())
			}
			all := s.requests()
			for i := range all {
				if i >= 10 && all[i].Sub(all[i-10]) < time.Second {
					t.Fatalf("%s: 11 requests within %v", name, all[i].Sub(all[i-10]))
				}
			}
			if len(all) < c.least {
				t.Errorf("%s: only %d requests", name, len(all))
			}
			for _, ref := range references(c.payments) { // and none starves
				if got := s.count(ref); got < 2 {
					t.Errorf("%s: %s was requested %d times in five minutes", name, ref, got)
				}
			}
		})
	}
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
		for !mine.State().Checking { // until it is due, and behind the others
			advance(100 * time.Millisecond)
		}
		n := s.count("REF099")
		if !mine.Check() || mine.Check() {
			t.Fatal("what is only due is not asked for once")
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
		if len(s.requests()) > 4 { // those that were under way
			t.Errorf("the rejected key was sent %d times", len(s.requests()))
		}
		for ref, x := range all {
			if state := x.State(); state.Phase != session.KeyRejected || state.Checking || !api.KeyRejected(state.Err) || state.AnsweredAt.IsZero() {
				t.Errorf("%s: %+v", ref, state)
			}
		}
		before := len(s.requests())
		all["REF007"].Check() // by a person
		if advance(time.Minute); len(s.requests()) != before+1 {
			t.Errorf("%d requests by one key press", len(s.requests())-before)
		}
		accepted = true
		w.KeyReplaced()
		advance(10 * time.Second)
		for ref, x := range all {
			if state := x.State(); state.Phase != session.Polling || state.History.Shown.State != api.Pending {
				t.Errorf("%s: %+v", ref, state)
			}
		}
		x := all["REF007"]
		x.Pause()
		accepted = false
		x.Check()
		if advance(time.Minute); x.State().Phase != session.KeyRejected {
			t.Errorf("a rejected key leaves a pause as it is: %+v", x.State())
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

func TestABoardAsksAboutWhatItFollowsAndNothingElse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &polled{answer: reporting("PENDING")}
		b := newScheduler(t, s).Board()
		b.Follow([]api.Reference{"ref-1", "ref-2"})
		advance(time.Millisecond)
		if state, followed := b.State("ref-1"); !followed || !state.History.Any || state.Checking {
			t.Errorf("%+v %v", state, followed)
		}
		b.Follow([]api.Reference{"ref-2", "ref-3"})
		advance(time.Minute)
		one, two, three := s.count("ref-1"), s.count("ref-2"), s.count("ref-3")
		if one != 1 || two < 5 || three < 5 {
			t.Errorf("asked %d, %d and %d times", one, two, three)
		}
		if _, followed := b.State("ref-1"); followed {
			t.Error("what left the list is followed")
		}
		b.Close()
		b.Follow([]api.Reference{"ref-1"})
		advance(time.Minute)
		if s.count("ref-1") != one || s.count("ref-2") != two {
			t.Error("a closed board asks on")
		}
	})
}

func TestEachPaymentIsCheckedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &polled{answer: reporting("PENDING")}
		w := newScheduler(t, s)
		all := []api.Reference{"ref-1", "ref-2", "ref-3", "ref-4", "ref-5", "ref-6"}
		states, err := w.CheckOnce(t.Context(), all)
		if err != nil || len(states) != len(all) {
			t.Fatal(states, err)
		}
		for i, state := range states {
			if state.Reference != all[i] || state.Err != nil || !state.History.Any {
				t.Errorf("%+v", state)
			}
		}
		advance(time.Hour)
		for _, r := range all {
			if n := s.count(r); n != 1 {
				t.Errorf("%s was asked about %d times", r, n)
			}
		}
	})
}

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
			before, end := len(s.requests()), s.requests()[0].Add(50*time.Millisecond+c.wait)
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
		})
	}
}
