package sandbox_test

import (
	"slices"
	"testing"

	"paydesk/api/sandbox"
)

// switchValue returns the value of a switch.
func (s *harness) switchValue(name string) string {
	for _, w := range s.sandbox.Switches() {
		if w.Name == name {
			return w.Value
		}
	}
	s.t.Fatalf("there is no switch %s", name)
	return ""
}

// selectSwitch selects the row of a switch.
func (s *harness) selectSwitch(name string) *harness {
	s.t.Helper()
	i := slices.IndexFunc(s.sandbox.Switches(), func(w sandbox.Switch) bool { return w.Name == name })
	s.Press("home")
	for range i {
		s.Press("down")
	}
	s.Sees("▌ " + name)
	return s
}

func TestASwitchGoesForwardAndBack(t *testing.T) {
	open(t, 80, 24, nil, func(s *harness) {
		s.Press("O")
		s.selectSwitch("error.body").Press("enter").Golden("turned")
		if s.switchValue("error.body") != "A" {
			t.Error(s.switchValue("error.body"))
		}
		s.Press("left", "left")
		if s.switchValue("error.body") != "B" {
			t.Error(s.switchValue("error.body"))
		}
		s.Press("esc").Sees("error.body = B").Press("O")
		s.selectSwitch("error.body").Press("x")
		if s.switchValue("error.body") != "envelope" {
			t.Error(s.switchValue("error.body"))
		}
		s.Press("esc").WaitsUntilGone("error.body")
	})
}
