package session_test

import (
	"testing"
	"testing/synctest"
	"time"

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
			before, mineBefore := len(s.all), s.count("MINE")
			advance(time.Minute)
			if n := len(s.all) - before - (s.count("MINE") - mineBefore); n > 125 || n < 80 {
				t.Errorf("the pins took %d requests in a minute", n)
			}
		}
		if s.most > 4 {
			t.Errorf("%d requests at once", s.most)
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
