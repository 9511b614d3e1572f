package watch_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"paydesk/api"
	"paydesk/api/watch"
)

func TestABoardAsksAboutWhatItFollowsAndNothingElse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &service{answer: reporting("PENDING")}
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
		s := &service{answer: reporting("PENDING")}
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
		if states, err := w.CheckOnce(t.Context(), nil); err != nil || len(states) != 0 {
			t.Error(states, err)
		}
	})
}

func TestACheckThatNobodyWaitsForEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &service{answer: reporting("PENDING"), takes: func() time.Duration { return time.Hour }}
		ctx, stop := context.WithTimeout(t.Context(), time.Second)
		defer stop()
		if _, err := newScheduler(t, s).CheckOnce(ctx, []api.Reference{"ref-1"}); err != context.DeadlineExceeded {
			t.Error(err)
		}
		if synctest.Wait(); s.open != 0 {
			t.Error("the request goes on")
		}
	})
}

func TestARejectedKeyEndsTheCheck(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &service{answer: func(api.Reference, int) (api.PaymentStatus, error) {
			return api.PaymentStatus{}, &api.Refusal{HTTP: 401}
		}}
		all := []api.Reference{"ref-1", "ref-2", "ref-3", "ref-4", "ref-5", "ref-6", "ref-7", "ref-8"}
		states, err := newScheduler(t, s).CheckOnce(t.Context(), all)
		if err != nil || states[7].Phase != watch.KeyRejected {
			t.Error(states, err)
		}
	})
}
