package sandbox_test

import (
	"slices"
	"testing"

	"paydesk/api/sandbox"
)

// sorts are payments of every sort in every state, each the newest of its world.
func sorts() map[string]func(*world) string {
	settled := func(s *world, reference string) string { s.box.Settle(reference); return reference }
	return map[string]func(*world) string{
		"a challenge":           func(s *world) string { return s.charge("challenge", "") },
		"a challenge of a link": func(s *world) string { return s.charge("challenge", s.link("GBP")) },
		"a challenge approved": func(s *world) string {
			r := s.charge("challenge", "")
			s.box.Approve(r)
			return r
		},
		"a challenge rejected": func(s *world) string {
			r := s.charge("challenge", "")
			s.box.Reject(r)
			return r
		},
		"a declined card":    func(s *world) string { return s.charge("decline", "") },
		"an authorised card": func(s *world) string { return s.charge("approve", "") },
		"a settled card":     func(s *world) string { return settled(s, s.charge("approve", "")) },
		"a card of a link":   func(s *world) string { return s.charge("approve", s.link("GBP")) },
		"a finalized card": func(s *world) string {
			r := s.charge("approve", s.link("GBP"))
			s.finalize(r)
			return r
		},
		"a transfer": func(s *world) string { return s.transfer("") },
		"a transfer paid in part": func(s *world) string {
			r := s.transfer("")
			if err := s.box.Pay(r, "1.00"); err != nil {
				s.t.Fatal(err)
			}
			return r
		},
		"a paid transfer": func(s *world) string { return settled(s, s.transfer("")) },
		"an expired transfer": func(s *world) string {
			r := s.transfer("")
			s.box.Expire(r)
			return r
		},
		"a transfer of a link":      func(s *world) string { return s.transfer(s.link("NGN")) },
		"a paid transfer of a link": func(s *world) string { return settled(s, s.transfer(s.link("NGN"))) },
		"a finalized transfer": func(s *world) string {
			r := settled(s, s.transfer(s.link("NGN")))
			s.finalize(r)
			return r
		},
	}
}

// A key is shown as open exactly when the sandbox would do what it says.
func TestAKeyIsOpenWhenTheSandboxWouldDoIt(t *testing.T) {
	pay := func(s *sandbox.Sandbox, r string) bool { return s.Pay(r, "1.00") == nil }
	does := map[string]func(*sandbox.Sandbox, string) bool{
		"a": (*sandbox.Sandbox).Approve, "r": (*sandbox.Sandbox).Reject, "s": (*sandbox.Sandbox).Settle,
		"e": (*sandbox.Sandbox).Expire, "d": (*sandbox.Sandbox).Decline, "p": pay,
	}
	for name, sort := range sorts() {
		for k, do := range does {
			t.Run(name+"/"+k, func(t *testing.T) {
				var reference string
				open(t, 80, 24, func(s *world) { reference = sort(s) }, func(s *world) {
					m := s.screen
					before, _ := s.box.Payment(reference)
					shown := slices.ContainsFunc(m.Keys(), func(b binding) bool { return b.Enabled() && slices.Contains(b.Keys(), k) })
					s.Press(k)
					after, _ := s.box.Payment(reference)
					switch {
					case shown && k == "p":
						s.Sees("exactly what is due")
					case shown:
						s.Sees("is now " + after.State + ".")
					case after != before:
						t.Errorf("%+v became %+v by a key that is not open", before, after)
					case m.Notice().Text == "":
						t.Error("nothing says why the key is not open")
					}
					if !shown && do(s.box, reference) {
						t.Errorf("the sandbox would have done it; the screen says %q", m.Notice().Text)
					}
				})
			})
		}
	}
}

func TestATransferIsPaidExactlyInPartOrTooMuch(t *testing.T) {
	var ref string
	made := func(s *world) { ref = s.transfer("") }
	open(t, 80, 24, made, func(s *world) {
		s.Press("p").Sees("12.50 NGN  exactly", "6.25 NGN  too little", "13.50 NGN  too much")
		s.Press("down", "enter").is(ref, "PENDING").Sees("6.25 NGN was paid; the payment is now PENDING.", "6.25 of 12.50 NGN")
		s.Press("p").Sees("6.25 NGN  exactly").Press("enter")
		s.is(ref, "SUCCESSFUL").Sees("12.50 of 12.50 NGN", "✓ SUCCESSFUL")
		s.Press("p").Sees("This payment is final.")
	})
	open(t, 80, 24, made, func(s *world) {
		s.Press("p", "end", "enter").is(ref, "SUCCESSFUL").Sees("13.50 of 12.50 NGN")
	})
	open(t, 80, 24, made, func(s *world) {
		s.Press("p")
		s.box.Expire(ref) // meanwhile
		s.Press("enter").Sees("The account has expired.").is(ref, "FAILED")
	})
}
