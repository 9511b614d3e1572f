package payment

import (
	"math/rand/v2"
	"testing"
	"time"
)

func TestAWatchStopsAfterFifteenMinutesAndRestartsByKey(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := &script{answer: says("PENDING"), jitter: rand.N[time.Duration]}
		c := watch80(t, s, card(""))
		c.Wait(20 * time.Minute).Sees("still pending. Press r")
		n := s.count()
		if n < 37 || n > 54 { // one watch; ten thousand are counted above
			t.Errorf("%d requests in fifteen minutes", n)
		}
		if last := s.at(n - 1).Sub(start); last > 15*time.Minute {
			t.Errorf("requested after %v", last)
		}
		c.Press("r").WaitsUntilGone("Press r")
		if c.Wait(10 * time.Second); s.count() < n+2 {
			t.Error("r did not begin another watch")
		}
	})
}

func TestAFinalPaymentWritesNothing(t *testing.T) {
	bubble(t, func(t *testing.T) {
		c := watch80(t, &script{answer: says("PENDING", "SUCCESSFUL")}, card(""))
		c.Wait(time.Minute).Sees("SUCCESSFUL")
		before := len(c.Bytes())
		c.Wait(20 * time.Minute)
		if n := len(c.Bytes()) - before; n > 0 {
			t.Errorf("%d bytes for nothing", n)
		}
	})
}
