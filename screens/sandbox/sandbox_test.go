package sandbox_test

import (
	"testing"
	"time"
)

func TestTheScreenShowsWhatTheSandboxHolds(t *testing.T) {
	for name, size := range map[string][2]int{"payments-small": {60, 18}, "payments": {80, 24}, "payments-wide": {120, 40}} {
		open(t, size[0], size[1], some, func(s *world) {
			s.Sees("PENDING", "INITIATED").Golden(name)
			s.Fits().Bar()
		})
	}
}

func TestWithoutAPaymentItSaysHowToGetOne(t *testing.T) {
	open(t, 80, 24, nil, func(s *world) {
		s.Sees("No payment was made in this run yet").Golden("empty")
		s.Fits().Bar().Idle(time.Hour)
		s.Press("a").Sees("There is no payment here yet")
		s.Press("p").Sees("There is no payment here yet")
	})
}

func TestFaultsChooser(t *testing.T) {
	for name, size := range map[string][2]int{"-small": {60, 18}, "": {80, 24}, "-wide": {120, 40}} {
		open(t, size[0], size[1], some, func(s *world) {
			s.Press("f").Golden("faults" + name).Fits().Bar()
			s.Press("esc", "w").Golden("switches" + name).Fits().Bar()
			s.Press("esc", "t").Golden("clock" + name).Fits().Bar()
			s.Press("esc", "v").Golden("webhooks" + name).Fits().Bar()
		})
	}
}
