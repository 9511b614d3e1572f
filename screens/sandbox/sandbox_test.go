package sandbox_test

import (
	"strings"
	"testing"
	"time"

	"paydesk/screens/nav"
)

func TestEveryChooserIsDrawnAndFits(t *testing.T) {
	open(t, 80, 24, makePayments, func(s *harness) {
		for _, at := range []struct{ keys, golden, back string }{
			{"F", "faults", "esc"}, {"O", "switches", ""}, {"down enter", "word", "esc esc"}, {"T", "clock", "esc"},
			{"W", "webhooks", ""}, {"e", "", "esc esc"}, {"down P", "pay", "esc"}, {"R", "reset", "esc"},
		} {
			if s.Press(strings.Fields(at.keys)...); at.golden != "" {
				s.Golden(at.golden)
			}
			s.Fits().HelpBarFits() // in the end: a list that was drawn in few lines has scrolled
			s.Press(strings.Fields(at.back)...)
		}
		s.Went()
		s.Press("esc").Went(nav.Back{})
	})
}

func TestAResetAsksFirst(t *testing.T) {
	open(t, 80, 24, makePayments, func(s *harness) {
		s.Press("F", "enter")
		s.Press("R").Sees("Reset the sandbox?").Press("y").Paste("y")
		s.Press("esc").WaitsUntilGone("Reset the sandbox?")
		if len(s.sandbox.Payments()) != 7 || len(s.sandbox.Armed()) != 1 {
			t.Fatal("it was reset")
		}
		s.Press("R").Yes("The payments and links of this run")
		s.Sees("The sandbox was reset", "No payments in this run yet").WaitsUntilGone("Faults")
		if len(s.sandbox.Payments()) != 0 || len(s.sandbox.Armed()) != 0 {
			t.Error("it was not reset")
		}
	})
}

// A sandbox that is another process can go away. The screen says so, keeps what it showed, and goes on
// by itself when the sandbox is back.
func TestASandboxThatGoesAwayIsMissedAndComesBack(t *testing.T) {
	open(t, 80, 24, func(s *harness) { s.charge("challenge", "") }, func(s *harness) {
		s.OnLoop(func() { s.away.is = true })
		s.Wait(2*time.Second).Sees("The sandbox does not answer. What is shown may be old", "INITIATED", "•••• 1019")
		s.Press("A").Sees("The sandbox does not answer.").Fits()
		s.OnLoop(func() { s.away.is = false })
		s.Wait(2 * time.Second)
		if s.Has("may be old") {
			t.Error(s.Screen())
		}
		s.Press("A").Sees("The customer approved; the payment is now PENDING.")
	})
}
