package sandbox_test

import (
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"paydesk/screens/nav"
)

func TestTheScreenShowsWhatTheSandboxHolds(t *testing.T) {
	for name, size := range map[string][2]int{"payments-small": {60, 18}, "payments": {80, 24}, "payments-wide": {120, 40}} {
		open(t, size[0], size[1], some, func(s *world) {
			s.Sees("PENDING", "INITIATED").Golden(name)
			if s.HelpBarFits(); name == "payments" {
				s.Fits()
			}
		})
	}
}

func TestWithoutAPaymentItSaysHowToGetOne(t *testing.T) {
	open(t, 80, 24, nil, func(s *world) {
		s.Sees("No payment was made in this run yet").Golden("empty")
		s.Fits().HelpBarFits().Idle(time.Hour)
		s.Press("a").Sees("There is no payment here yet")
		s.Press("p").Sees("There is no payment here yet")
		s.Press("x").Sees("No fault is armed.")
	})
}

func TestEveryChooserLooksAsItShall(t *testing.T) {
	for name, size := range map[string][2]int{"-small": {60, 18}, "": {80, 24}, "-wide": {120, 40}} {
		open(t, size[0], size[1], some, func(s *world) {
			s.Press("f").Golden("faults" + name)
			s.Press("esc", "w").Golden("switches" + name)
			s.Press("down", "enter").Golden("word" + name)
			s.Press("esc", "esc", "t").Golden("clock" + name)
			s.Press("esc", "v").Golden("webhooks" + name)
			s.Press("esc", "down", "p").Golden("pay" + name)
			s.Press("esc", "R").Golden("reset" + name)
			s.Press("esc").Went()
			s.Press("esc").Went(nav.Back{})
		})
	}
}

func TestEveryChooserFits(t *testing.T) {
	open(t, 80, 24, some, func(s *world) {
		s.Press("down") // a transfer
		for _, keys := range [][]string{{"f"}, {"w"}, {"w", "down", "enter"}, {"t"}, {"v"}, {"v", "w"}, {"p"}, {"R"}} {
			s.Press(keys...).Fits().HelpBarFits()
			for _, k := range keys {
				if k != "down" {
					s.Press("esc")
				}
			}
			s.Went()
		}
	})
}

func TestTimeTurnsAPaymentWithoutAKeyAndWritesNothingElse(t *testing.T) {
	open(t, 80, 24, func(s *world) { s.charge("approve", "") }, func(s *world) {
		if s.Sees("PENDING").Green() != 0 {
			t.Error("a payment that is pending is painted as success")
		}
		s.Idle(3 * time.Second)
		s.Wait(3*time.Second).Sees("✓ SUCCESSFUL", "all of it was received")
		s.Idle(time.Hour)
	})
	open(t, 80, 24, func(s *world) { s.charge("challenge", "") }, func(s *world) {
		s.Idle(time.Hour)
		s.box.Approve(s.box.Payments()[0].Reference) // in a browser
		s.Wait(time.Second).Sees("PENDING")
	})
}

func TestTheSelectionStaysOnItsPayment(t *testing.T) {
	var first string
	open(t, 80, 24, func(s *world) { first = s.charge("pending-long", "") }, func(s *world) {
		s.Sees("Reference  " + first)
		s.charge("approve", "")
		s.Wait(time.Second).Sees("Reference  " + first)
		s.Press("s").is(first, "SUCCESSFUL").Press("up").SeesNot("Reference  " + first)
	})
}

func TestTheClockIsMovedOn(t *testing.T) {
	open(t, 80, 24, func(s *world) { s.charge("pending-long", "") }, func(s *world) {
		s.Press("t", "down", "enter").Sees("The clock is 10 min ahead now.", "10 min ahead of this machine", "SUCCESSFUL")
		s.Press("t", "end", "enter").Sees("1 d 10 min ahead")
		if s.box.Ahead() != 24*time.Hour+10*time.Minute {
			t.Error(s.box.Ahead())
		}
	})
}

func TestHostileTextIsTurnedOnAndOff(t *testing.T) {
	open(t, 80, 24, some, func(s *world) {
		s.Press("h").Sees("filled with hostile text")
		if !s.box.IsHostile() {
			t.Error("it is off")
		}
		s.Press("h").SeesNot("filled with hostile text")
		if s.box.IsHostile() {
			t.Error("it is on")
		}
	})
}

func TestAResetAsksFirst(t *testing.T) {
	open(t, 80, 24, some, func(s *world) {
		s.Press("f", "enter", "h")
		s.Press("R").Sees("Reset the sandbox?").Press("y").Paste("y")
		s.Press("esc").SeesNot("Reset the sandbox?")
		if len(s.box.Payments()) != 7 || len(s.box.Armed()) != 1 {
			t.Fatal("it was reset")
		}
		s.Press("R").Yes("It forgets the payments")
		s.Sees("as it was at the beginning", "No payment was made in this run yet", "none armed")
		if len(s.box.Payments()) != 0 || s.box.IsHostile() {
			t.Error("it was not reset")
		}
	})
}

func TestAPasteDoesNothingToAPayment(t *testing.T) {
	open(t, 80, 24, some, func(s *world) {
		before := s.box.Payments()
		s.Paste("arsed\n")
		s.Send(tea.PasteMsg{Content: "R"})
		for i, p := range s.box.Payments() {
			if p != before[i] {
				t.Errorf("%+v became %+v", before[i], p)
			}
		}
	})
}
