package watch_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"paydesk/api"
	"paydesk/api/watch"
)

func TestTwoWatchesOfOnePaymentShareItsRequests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &service{answer: reporting("PENDING", "PENDING", "SUCCESSFUL"), takes: func() time.Duration { return time.Second }}
		w := newScheduler(t, s)
		a, b := w.Watch("REF"), w.Watch("REF")
		advance(time.Minute)
		if s.count("REF") != 3 {
			t.Errorf("%d requests", s.count("REF"))
		}
		for _, x := range []*watch.Watch{a, b} {
			if state := x.State(); state.Phase != watch.Settled || !state.SettledHere || state.History.Shown.State != api.Successful {
				t.Errorf("%+v", state)
			}
		}
		a.Close()
		a.Close() // once more is the same
		if !b.Check() {
			t.Error("the other cannot request any more")
		}
		advance(time.Minute)
		if s.count("REF") != 4 {
			t.Errorf("%d requests", s.count("REF"))
		}
		b.Close()
	})
}

func TestClosingTheLastWatchEndsItsRequestAndItsTimers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &service{answer: reporting("PENDING"), takes: func() time.Duration { return time.Hour }}
		w := newScheduler(t, s)
		x := w.Watch("REF")
		advance(time.Second)
		x.Close()
		if advance(time.Second); s.open != 0 {
			t.Error("the request goes on")
		}
		s.takes = nil
		y := w.Watch("REF")
		advance(time.Second)
		y.Close()
		n := s.count("REF")
		if advance(time.Hour); s.count("REF") != n {
			t.Errorf("%d requests after the end", s.count("REF")-n)
		}
	})
}

func TestEachWatchPausesOnItsOwn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &service{answer: reporting("PENDING")}
		w := newScheduler(t, s)
		a, b := w.Watch("REF"), w.Watch("REF")
		advance(time.Second)
		if !a.Pause() || a.Pause() || a.State().Phase != watch.Paused || b.State().Phase != watch.Polling {
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
		if advance(time.Hour); s.count("REF") != n+1 || a.State().Phase != watch.Paused {
			t.Errorf("a check in the pause made %d requests, and it is %v", s.count("REF")-n, a.State().Phase)
		}
		b.Close()
		c := w.Watch("REF") // joins, and requests at once
		if advance(10 * time.Second); s.count("REF") < n+4 || c.State().Phase != watch.Polling {
			t.Errorf("%d requests for who joined", s.count("REF")-n-1)
		}
		c.Close()
		n = s.count("REF")
		if advance(time.Hour); s.count("REF") != n {
			t.Error("polling continues without a watch")
		}
		if !a.Resume() || a.Resume() {
			t.Error("it does not go on")
		}
		if advance(time.Second); s.count("REF") != n+1 {
			t.Errorf("%d requests after the pause", s.count("REF")-n)
		}
		a.Close()
	})
}

func TestAPauseWithdrawsAQueuedRequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &service{answer: reporting("PENDING"), takes: func() time.Duration { return time.Minute }}
		w := newScheduler(t, s)
		for _, ref := range references(4) {
			defer w.Watch(ref).Close()
		}
		x := w.Watch("LAST")
		defer x.Close()
		advance(time.Second)
		if !x.State().Checking || !x.Pause() || x.State().Checking {
			t.Errorf("%+v", x.State())
		}
		if advance(time.Hour); s.count("LAST") != 0 {
			t.Errorf("it was requested %d times", s.count("LAST"))
		}
	})
}

func TestNextWaitsForAChangeAndEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &service{answer: reporting("PENDING", "SUCCESSFUL"), takes: func() time.Duration { return time.Second }}
		x := newScheduler(t, s).Watch("REF")
		defer x.Close()
		var seen []string
		ctx, stop := context.WithTimeout(t.Context(), time.Hour)
		defer stop()
		state := x.State()
		var err error
		for err == nil {
			if state, err = x.Next(ctx, state); err == nil {
				seen = append(seen, fmt.Sprint(state.Checking, " ", state.History.Shown.State))
			}
		}
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
		if want := []string{"false PENDING", "true PENDING", "false SUCCESSFUL"}; !slices.Equal(seen, want) {
			t.Errorf("%q", seen)
		}
	})
}

func TestAStateIsAValueThatLaterAnswersDoNotChange(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &service{answer: reporting("INITIATED", "PENDING")}
		x := newScheduler(t, s).Watch("REF")
		defer x.Close()
		advance(time.Second)
		before := x.State()
		was := fmt.Sprintf("%+v", before)
		x.Check()
		advance(time.Second)
		if after := x.State(); after.History.Shown.State != api.Pending {
			t.Errorf("%+v", after)
		}
		if now := fmt.Sprintf("%+v", before); now != was {
			t.Errorf("it was %s\nand is %s", was, now)
		}
	})
}

func TestEveryChangeWakesEveryWaiter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &service{answer: reporting("PENDING")}
		x := newScheduler(t, s).Watch("REF")
		defer x.Close()
		advance(time.Second)
		wakes := func(name string, want bool, change func()) {
			t.Helper()
			woken := make(chan error, 1)
			ctx, stop := context.WithCancel(t.Context())
			defer stop()
			last := x.State()
			go func() {
				_, err := x.Next(ctx, last)
				woken <- err
			}()
			synctest.Wait()
			change()
			synctest.Wait()
			select {
			case <-woken:
				if !want {
					t.Errorf("%s wakes", name)
				}
			default:
				if want {
					t.Errorf("%s does not wake", name)
				}
			}
		}
		wakes("nothing", false, func() {})
		wakes("a pause", true, func() { x.Pause() })
		wakes("going on", true, func() { x.Resume() })
		advance(time.Second)
		wakes("a check", true, func() { x.Check() })
		advance(time.Second)
		wakes("looking at the same", false, func() { x.Refresh() })
		s.finalized.Store(true)
		wakes("a finalize", true, func() { x.Refresh() })
		advance(14 * time.Minute)
		for x.State().Phase == watch.Polling && !x.State().Checking {
			version := x.State()
			if advance(time.Second); x.State().Phase == watch.Expired && !x.State().Newer(version) {
				t.Error("the end of the watch does not wake")
			}
			if x.State().Checking {
				advance(time.Second)
			}
		}
		if x.State().Phase != watch.Expired {
			t.Errorf("%+v", x.State())
		}
	})
}

// The watch ends when its time is up, not with the next request, which may be far off.
func TestAWatchEndsOnTimeDespiteALongRetryAfter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &service{answer: func(api.Reference, int) (api.PaymentStatus, error) {
			return api.PaymentStatus{}, &api.Refusal{HTTP: 429, RetryAfter: 4 * time.Minute}
		}}
		x := newScheduler(t, s).Watch("REF")
		defer x.Close()
		advance(15*time.Minute + time.Millisecond)
		if x.State().Phase != watch.Expired || s.count("REF") != 4 {
			t.Errorf("%v after %d requests", x.State().Phase, s.count("REF"))
		}
	})
}

func TestAFinalizeAcceptedMeanwhileIsKnownWithTheNextAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &service{answer: reporting("PENDING")}
		x := newScheduler(t, s).Watch("REF")
		defer x.Close()
		advance(time.Second)
		s.finalized.Store(true)
		advance(5 * time.Second)
		if !x.State().Subject.Finalized {
			t.Errorf("%+v", x.State())
		}
	})
}

func TestNobodyWaitsOnceTheWatchOrItsSchedulerHasEnded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &service{answer: reporting("PENDING"), takes: func() time.Duration { return time.Hour }}
		ctx, end := context.WithCancel(t.Context())
		w := watch.New(ctx, s, nil)
		x, y := w.Watch("REF"), w.Watch("REF")
		advance(time.Second)
		x.Close()
		if _, err := x.Next(t.Context(), x.State()); !errors.Is(err, watch.ErrClosed) || x.Check() {
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
