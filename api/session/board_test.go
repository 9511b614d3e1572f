package session_test

import (
	"testing"
	"testing/synctest"
	"time"

	"paydesk/api"
)

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
		if states, err := w.CheckOnce(t.Context(), nil); err != nil || len(states) != 0 {
			t.Error(states, err)
		}
	})
}
