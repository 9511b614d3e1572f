package sandbox_test

import (
	"slices"
	"testing"

	"paydesk/api/sandbox"
)

// paymentCases makes one payment of each kind in each state.
func paymentCases() map[string]func(*harness) string {
	return map[string]func(*harness) string{
		"a challenge":           func(s *harness) string { return s.charge("challenge", "") },
		"a challenge of a link": func(s *harness) string { return s.charge("challenge", s.link("GBP")) },
		"a declined card":       func(s *harness) string { return s.charge("decline", "") },
		"a card of a link":      func(s *harness) string { return s.charge("approve", s.link("GBP")) },
		"a finalized card": func(s *harness) string {
			r := s.charge("approve", s.link("GBP"))
			s.finalize(r)
			return r
		},
		"an account": func(s *harness) string { return s.pay("GBP", "PayByAccount", "", nil) },
		"a transfer paid in part": func(s *harness) string {
			r := s.transfer("")
			if err := s.sandbox.Pay(r, "1.00"); err != nil {
				s.t.Fatal(err)
			}
			return r
		},
		"an expired transfer": func(s *harness) string {
			r := s.transfer("")
			s.sandbox.Expire(r)
			return r
		},
		"a transfer of a link": func(s *harness) string { return s.transfer(s.link("NGN")) },
	}
}

// A key is enabled exactly when the sandbox would carry out its action.
func TestAKeyIsOpenWhenTheSandboxWouldDoIt(t *testing.T) {
	pay := func(s *sandbox.Sandbox, r string) bool { return s.Pay(r, "1.00") == nil }
	does := map[string]func(*sandbox.Sandbox, string) bool{
		"A": (*sandbox.Sandbox).Approve, "N": (*sandbox.Sandbox).Reject, "S": (*sandbox.Sandbox).Settle,
		"X": (*sandbox.Sandbox).Expire, "D": (*sandbox.Sandbox).Decline, "P": pay,
	}
	for name, sort := range paymentCases() {
		for k, do := range does {
			t.Run(name+"/"+k, func(t *testing.T) {
				var reference string
				open(t, 80, 24, func(s *harness) { reference = sort(s) }, func(s *harness) {
					m := s.screen
					before, _ := s.sandbox.Payment(reference)
					shown := slices.ContainsFunc(m.Keys(), func(b binding) bool { return b.Enabled() && slices.Contains(b.Keys(), k) })
					s.Press(k)
					after, _ := s.sandbox.Payment(reference)
					switch {
					case shown && k == "P":
						s.Sees("exactly what is due")
					case shown:
						s.Sees("is now " + after.State + ".")
					case after != before:
						t.Errorf("%+v became %+v by a disabled key", before, after)
					case m.Notice().Text == "":
						t.Error("no notice says why the key is disabled")
					}
					if !shown && do(s.sandbox, reference) {
						t.Errorf("the sandbox accepts the action, but the notice is %q", m.Notice().Text)
					}
				})
			})
		}
	}
}
