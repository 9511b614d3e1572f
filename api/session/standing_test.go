package session_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"paydesk/api"
	"paydesk/api/session"
)

// What a person has on the screen keeps its own pace and its end, and is asked about first.
func TestStandingWatchesLeaveRoomForOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &polled{answer: reporting("PENDING"), takes: func() time.Duration { return 300 * time.Millisecond }}
		w := newScheduler(t, s)
		pins := references(200)
		w.Standing().Follow(pins)
		advance(time.Second) // the first of them are under way, the others wait
		mine := w.Watch("MINE")
		defer mine.Close()
		if advance(2 * time.Second); s.count("MINE") != 1 {
			t.Error("it waits for the pins")
		}
		advance(time.Minute)
		for _, at := range []time.Duration{0, 10 * time.Minute, 20 * time.Minute} {
			advance(at)
			before, mineBefore := len(s.requests()), s.count("MINE")
			advance(time.Minute)
			if n := len(s.requests()) - before - (s.count("MINE") - mineBefore); n > 125 || n < 80 {
				t.Errorf("the pins took %d requests in a minute", n)
			}
		}
		if s.mostAtOnce() > 4 {
			t.Errorf("%d requests at once", s.mostAtOnce())
		}
		if mine.State().Phase != session.Expired {
			t.Error("the watch of one payment has no end")
		}
		joined := w.Watch(pins[7])
		defer joined.Close()
		before := s.count(pins[7])
		advance(time.Minute)
		if n := s.count(pins[7]) - before; n < 4 {
			t.Errorf("asked %d times about the pin that is on the screen", n)
		}
	})
}

func TestTwoWatchesOfOnePaymentShareItsRequestsUntilTheLastIsClosed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &polled{answer: reporting("PENDING", "PENDING", "SUCCESSFUL"), takes: func() time.Duration { return time.Second }}
		w := newScheduler(t, s)
		a, b := w.Watch("REF"), w.Watch("REF")
		advance(time.Minute)
		if s.count("REF") != 3 {
			t.Errorf("%d requests", s.count("REF"))
		}
		for _, x := range []*session.Watch{a, b} {
			if state := x.State(); state.Phase != session.Settled || !state.SettledHere || state.History.Shown.State != api.Successful {
				t.Errorf("%+v", state)
			}
		}
		a.Close()
		if !b.Check() {
			t.Error("the other cannot request any more")
		}
		advance(time.Millisecond)
		b.Close()
		if advance(time.Millisecond); s.open != 0 {
			t.Error("the request goes on")
		}
		if advance(time.Hour); s.count("REF") != 4 {
			t.Errorf("%d requests", s.count("REF"))
		}
	})
}

func TestEachWatchPausesOnItsOwn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &polled{answer: reporting("PENDING")}
		w := newScheduler(t, s)
		a, b := w.Watch("REF"), w.Watch("REF")
		advance(time.Second)
		if !a.Pause() || a.Pause() || a.State().Phase != session.Paused || b.State().Phase != session.Polling {
			t.Errorf("%v and %v", a.State().Phase, b.State().Phase)
		}
		n := s.count("REF")
		if advance(10 * time.Second); s.count("REF") == n {
			t.Error("a pause of one ends the requests of the other")
		}
		b.Pause()
		n = s.count("REF")
		if advance(time.Hour); s.count("REF") != n {
			t.Errorf("%d requests in the pause of both", s.count("REF")-n)
		}
		a.Check()
		if advance(time.Hour); s.count("REF") != n+1 || a.State().Phase != session.Paused {
			t.Errorf("a check in the pause made %d requests, and it is %v", s.count("REF")-n, a.State().Phase)
		}
		b.Close()
		if !a.Resume() || a.Resume() {
			t.Error("it does not go on")
		}
		if advance(time.Second); s.count("REF") != n+2 {
			t.Errorf("%d requests after the pause", s.count("REF")-n-1)
		}
		a.Close()
	})
}

// The watch ends when its time is up, not with the next request, which may be far off.
func TestAWatchEndsOnTimeDespiteALongRetryAfter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &polled{answer: func(api.Reference, int) (api.PaymentStatus, error) {
			return api.PaymentStatus{}, &api.Refusal{HTTP: 429, RetryAfter: 4 * time.Minute}
		}}
		x := newScheduler(t, s).Watch("REF")
		defer x.Close()
		advance(15*time.Minute + time.Millisecond)
		if x.State().Phase != session.Expired || s.count("REF") != 4 {
			t.Errorf("%v after %d requests", x.State().Phase, s.count("REF"))
		}
	})
}

func TestNobodyWaitsOnceTheWatchOrItsSchedulerHasEnded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &polled{answer: reporting("PENDING"), takes: func() time.Duration { return time.Hour }}
		ctx, end := context.WithCancel(t.Context())
		w := session.NewScheduler(ctx, s, nil)
		x, y := w.Watch("REF"), w.Watch("REF")
		advance(time.Second)
		x.Close()
		if _, err := x.Next(t.Context(), x.State()); !errors.Is(err, session.ErrNotWatched) || x.Check() {
			t.Errorf("a closed watch goes on: %v", err)
		}
		end()
		advance(time.Second)
		state := y.State()
		if _, err := y.Next(t.Context(), state); state.Checking || !errors.Is(err, context.Canceled) {
			t.Errorf("%+v, %v", state, err)
		}
		y.Close()
	})
}

// Whoever waits in Next is woken by a state that is newer.
func TestEachChangeMakesTheStateNewer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &polled{answer: reporting("PENDING")}
		x := newScheduler(t, s).Watch("REF")
		defer x.Close()
		gone, leave := context.WithCancel(t.Context())
		leave()
		for _, c := range []struct {
			name   string
			change func()
			newer  bool
		}{
			{"nothing", func() {}, false}, {"a pause", func() { x.Pause() }, true}, {"going on", func() { x.Resume() }, true}, {"a check", func() { x.Check() }, true},
			{"looking at the same", func() { x.Refresh() }, false}, {"a finalize", func() { s.finalized.Store(true); x.Refresh() }, true},
		} {
			advance(time.Second)
			before := x.State()
			c.change()
			if _, err := x.Next(gone, before); (err == nil) != c.newer {
				t.Errorf("%s: is it newer: %v", c.name, !c.newer)
			}
		}
	})
}
