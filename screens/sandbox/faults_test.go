package sandbox_test

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"paydesk/api/sandbox"
)

func TestAFaultIsArmedForAnOperationAndSoManyCalls(t *testing.T) {
	open(t, 80, 24, nil, func(s *harness) {
		s.Press("F").Sees("making a payment", "the next call", "lost-answer").Press("enter")
		s.Sees("lost-answer armed for making a payment: the next call.", "lost-answer on initiate, the next call")
		s.Press("F", "right", "right", "tab", "tab", "up", "enter").Sees("no-answer on validate, the next 3 calls")
		s.Press("F", "left", "shift+tab", "enter").Sees("lost-answer on all, every call until cleared").Golden("armed")
		want := []sandbox.ArmedFault{{Operation: "initiate", Fault: "lost-answer", Left: 1}, {Operation: "validate", Fault: "no-answer", Left: 3}, {Operation: "all", Fault: "lost-answer"}}
		if diff := cmp.Diff(want, s.sandbox.Armed()); diff != "" {
			t.Error(diff)
		}
		s.Press("F", "x").Sees("All faults are disarmed.", "none armed")
		if len(s.sandbox.Armed()) != 0 {
			t.Error("faults are still armed")
		}
	})
}

func TestEveryFaultOfTheChooserCanBeArmed(t *testing.T) {
	open(t, 80, 24, nil, func(s *harness) {
		made, place := 0, -1
		for _, f := range s.sandbox.Faults() {
			if place++; os.Getenv("PAYDESK_LONG") == "" && place%9 != 0 {
				continue
			}
			s.Press("F", "left", "home")
			for range place {
				s.Press("down")
			}
			s.Sees("every call", f.Name).Press("enter")
			made++
			if all := s.sandbox.Armed(); len(all) != made || all[made-1].Fault != f.Name {
				t.Fatalf("%s was not armed: %v", f.Name, all)
			}
		}
		s.Fits() // however many are armed
	})
}
