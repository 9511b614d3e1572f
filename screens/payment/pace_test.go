package payment

import (
	"math/rand/v2"
	"testing"
	"time"

	"paydesk/api"
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

// What is written in the key bar holds where all that is known scrolls too.
func TestSpacePausesWhileAllThatIsKnownScrolls(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := &script{answer: func(int) (api.PaymentStatus, error) { return transaction("PENDING", "1250.00"), nil }}
		c := watchOn(t, s, card("0-abc1234"), reference, 58, 10)
		c.Wait(time.Second).Press("z").Sees("lines 1–7 of").Press("space").Sees("lines 1–7 of")
		n := s.count()
		if c.Wait(time.Minute); s.count() != n {
			t.Errorf("%d requests while paused", s.count()-n)
		}
		c.Press("pgdown").Sees("lines 7–").Press("pgup", "space").Sees("lines 1–7 of")
		if c.Wait(time.Minute); s.count() == n {
			t.Error("nothing is asked after the pause")
		}
	})
}

func TestATransferIsWatchedUntilItsAccountHasExpired(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := &script{answer: says("REQUIRE_USER_OFFLINE_ACTION")}
		c := watch80(t, s, transfer(6*time.Minute))
		c.Wait(20*time.Minute).Sees("still not final. Press r", "CUSTOMER MUST PAY")
		last := s.at(s.count() - 1).Sub(start)
		if last < 15*time.Minute || last > 16*time.Minute {
			t.Errorf("last requested after %v", last)
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

func TestAnAgeIsShownOnceItsStatusIsDoubtful(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := &script{answer: says("PENDING")}
		c := watch80(t, s, card(""))
		c.Press("space").Sees("Paused; space resumes · last checked 00:00:00").WaitsUntilGone("stale", "ago")
		c.Wait(5*time.Second).Sees("may be stale", "last checked 00:00:00").WaitsUntilGone("ago")
		c.Wait(time.Minute).Sees("may be stale", "last checked 00:00:00 (1 min ago)")
		c.Wait(2*time.Hour).Sees("may be stale", "last checked 00:00:00 (2 h ago)")
	})
}

// A check that hangs says how long it has been under way, and stops saying so with its answer.
func TestACheckThatTakesLongHasAClock(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := &script{answer: says("PENDING")}
		s.slow(12 * time.Second)
		c := watch80(t, s, card(""))
		c.Sees("Checking… ·").Wait(3500 * time.Millisecond).Sees("Checking… 3 s").Wait(5 * time.Second).Sees("Checking… 8 s")
		c.Wait(4 * time.Second).Sees("◌ PENDING").WaitsUntilGone("Checking")
	})
}
