package payment

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/api/session"
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

func TestRetryAfterSevenIsHonouredOnTheScreen(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := &script{}
		s.answer = func(n int) (api.PaymentStatus, error) {
			if n == 2 {
				return api.PaymentStatus{}, &api.Refusal{Kind: api.KindHTTP, HTTP: 429, RetryAfter: 7 * time.Second}
			}
			return transaction("PENDING", "12.50"), nil
		}
		c := watch80(t, s, card(""))
		c.Wait(3*time.Second).Sees("The service received too many requests.", "Next check at 00:00:09")
		c.Wait(10 * time.Second)
		if wait := s.at(2).Sub(s.at(1)); wait < 7*time.Second || wait > 8*time.Second {
			t.Errorf("requested again after %v", wait)
		}
	})
}

func TestAPauseSendsNoRequests(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := &script{answer: says("PENDING")}
		c := watch80(t, s, card(""))
		c.Press("space").Sees("Paused")
		c.Wait(time.Hour)
		if n := s.count(); n != 1 {
			t.Errorf("%d requests while paused", n)
		}
		c.Sees("may be stale", "last checked 00:00:00 (1 h ago)")
		c.Press("r").Sees("Paused")
		c.Wait(20 * time.Minute)
		if n := s.count(); n != 2 {
			t.Errorf("r sent %d requests", n-1)
		}
		c.Press("space").WaitsUntilGone("Paused")
		if c.Wait(10 * time.Second); s.count() < 4 {
			t.Errorf("%d requests after the pause", s.count()-2)
		}
	})
}

func TestOneRequestIsInFlight(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := &script{answer: says("PENDING"), takes: 20 * time.Second}
		c := watch80(t, s, card(""))
		for range 30 {
			c.Press("r", "space", "r", "space").Wait(time.Second)
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.most != 1 {
			t.Errorf("%d requests at one time", s.most)
		}
	})
}

func TestLeavingStopsTheChecks(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := &script{answer: says("PENDING")}
		c := watch80(t, s, card(""))
		c.Wait(10 * time.Second)
		n := s.count()
		c.Leave()
		c.Wait(20 * time.Minute)
		if got := s.count(); got > n {
			t.Errorf("%d requests after it was left", got-n)
		}
	})
}

// second passes a second and returns the bytes it sent to the terminal.
func (c *console) second() int {
	before := len(c.Bytes())
	c.Wait(890 * time.Millisecond)
	return len(c.Bytes()) - before
}

func TestATickCostsAFewBytes(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := &script{answer: says("PENDING")}
		c := watchOn(t, s, card(""), reference, 118, 36)
		c.Wait(3 * time.Minute)
		ticks := 0
		for range 100 {
			asked := s.count()
			if n := c.second(); s.count() == asked {
				if ticks++; n > 16 {
					t.Errorf("%d bytes for a second", n)
				}
			}
		}
		if ticks < 80 {
			t.Errorf("%d seconds without a request", ticks)
		}
		c.Press("space").Wait(70 * time.Second)
		for range 100 {
			if n := c.second(); n > 16 {
				t.Errorf("%d bytes for a second of a pause", n)
			}
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

func TestAnAcceptedFinalizationStandsInTheHistory(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := card("0-abc1234")
		p.change(func(e *session.Entry) { e.Finalized = true })
		p.events = append(p.events, ledger.Event{At: start, Times: 1, What: "finalize accepted", Source: ledger.FromConsole})
		c := watch80(t, &script{answer: says("PENDING")}, p)
		if line := c.Line("finalize accepted"); !strings.HasPrefix(line, "● 00:00:00") || !strings.Contains(line, "answer") {
			t.Errorf("it says %q", line)
		}
	})
}

func TestACheckIsNamedOnlyWhereSomebodyWaitsForIt(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := &script{answer: says("PENDING")}
		c := watch80(t, s, card(""))
		c.Sees("Next check within 5 s · last checked 00:00:00")
		s.slow(600 * time.Millisecond)
		for range 600 {
			c.Wait(100 * time.Millisecond).WaitsUntilGone("Checking")
		}
		c.Sees("Next check within 30 s · last checked 00:01:")
		c.Press("r").Sees("Checking…").Wait(700 * time.Millisecond).Sees("Next check within 5 s")
		s.slow(10 * time.Second)
		c.Wait(3 * time.Second).Sees("Checking…").Wait(10 * time.Second).Sees("Next check within")
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
