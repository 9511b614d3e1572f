package sandbox_test

import (
	"slices"
	"testing"

	"paydesk/api/sandbox"
)

// set is the value of a switch.
func (s *world) set(name string) string {
	for _, w := range s.box.Switches() {
		if w.Name == name {
			return w.Value
		}
	}
	s.t.Fatalf("there is no switch %s", name)
	return ""
}

// to moves to the row of a switch.
func (s *world) to(name string) *world {
	s.t.Helper()
	i := slices.IndexFunc(s.box.Switches(), func(w sandbox.Switch) bool { return w.Name == name })
	s.Press("home")
	for range i {
		s.Press("down")
	}
	s.Sees("› " + name)
	return s
}

func TestASwitchIsTurnedAndTurnedBack(t *testing.T) {
	open(t, 80, 24, nil, func(s *world) {
		s.Press("w")
		s.to("error.body").Press("enter").Golden("turned")
		if s.set("error.body") != "A" {
			t.Error(s.set("error.body"))
		}
		s.Press("left", "left")
		if s.set("error.body") != "B" {
			t.Error(s.set("error.body"))
		}
		s.Press("esc").Sees("error.body = B").Press("w")
		s.to("error.body").Press("d")
		if s.set("error.body") != "envelope" {
			t.Error(s.set("error.body"))
		}
		s.Press("esc").SeesNot("error.body")
	})
}

// The money would come while somebody gets ready to pay less of it.
func TestTransfersAreLeftUnpaidByTheFirstSwitch(t *testing.T) {
	open(t, 80, 24, nil, func(s *world) {
		s.Press("w", "enter", "esc").Sees("transfer.paid = on-demand")
		if s.set("transfer.paid") != "on-demand" {
			t.Error(s.set("transfer.paid"))
		}
		s.transfer("")
		s.Press("home").Sees("p pays, e expires the account. It expires at")
	})
}

func TestAWordIsTypedAndAWrongOneIsRefusedAndKept(t *testing.T) {
	open(t, 80, 24, nil, func(s *world) {
		s.Press("w")
		s.to("key.header").Press("enter", "ctrl+u").Type("X Secret").Press("enter")
		s.Sees("must be a header name", "X Secret")
		if s.set("key.header") != "X-Api" {
			t.Error(s.set("key.header"))
		}
		s.Press("ctrl+u").Type("X-Secret").Press("enter")
		if s.set("key.header") != "X-Secret" {
			t.Error(s.set("key.header"))
		}
		s.Sees("X-Secret", "Default")
		s.Press("enter").Type("more").Press("esc").SeesNot("more")
		if s.set("key.header") != "X-Secret" {
			t.Error(s.set("key.header"))
		}
	})
}
