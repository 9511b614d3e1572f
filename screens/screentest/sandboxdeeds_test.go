package screentest_test

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"charm.land/bubbles/v2/key"
	"github.com/google/go-cmp/cmp"

	"paydesk/api/sandbox"
	"paydesk/screens/nav"
)

func TestEveryChooserIsDrawnAndFits(t *testing.T) {
	openSandbox(t, 80, 24, makePayments, func(s *sandboxHarness) {
		for _, at := range []struct{ keys, golden, back string }{
			{"F", "faults", "esc"}, {"O", "switches", ""}, {"down enter", "word", "esc esc"}, {"T", "clock", "esc"},
			{"W", "webhooks", ""}, {"e", "", "esc esc"}, {"down P", "pay", "esc"}, {"R", "reset", "esc"},
		} {
			if s.Press(strings.Fields(at.keys)...); at.golden != "" {
				s.Golden("sandbox/" + at.golden)
			}
			s.Fits().HelpBarFits() // in the end: a list that was drawn in few lines has scrolled
			s.Press(strings.Fields(at.back)...)
		}
		s.Went()
		s.Press("esc").Went(nav.Back{})
	})
}

func TestAResetAsksFirst(t *testing.T) {
	openSandbox(t, 80, 24, makePayments, func(s *sandboxHarness) {
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
	openSandbox(t, 80, 24, func(s *sandboxHarness) { s.charge("challenge", "") }, func(s *sandboxHarness) {
		s.away.is.Store(true)
		s.Wait(2*time.Second).Sees("The sandbox does not answer. This may be out of date", "INITIATED", "•••• 1019")
		s.Press("A").Sees("The sandbox does not answer.").Fits()
		s.away.is.Store(false)
		s.Wait(2 * time.Second)
		if s.Has("may be out of date") {
			t.Error(s.Screen())
		}
		s.Press("A").Sees("The customer approved; the payment is now PENDING.")
		s.OnLoop(s.screen.Pause) // another screen covers it: it asks for nothing
		s.Wait(time.Minute).WaitsUntilGone("SUCCESSFUL").Press("down").Sees("SUCCESSFUL")
	})
}

// paymentCases makes one payment of each kind in each state.
func paymentCases() map[string]func(*sandboxHarness) string {
	return map[string]func(*sandboxHarness) string{
		"a challenge":           func(s *sandboxHarness) string { return s.charge("challenge", "") },
		"a challenge of a link": func(s *sandboxHarness) string { return s.charge("challenge", s.link("GBP")) },
		"a declined card":       func(s *sandboxHarness) string { return s.charge("decline", "") },
		"a card of a link":      func(s *sandboxHarness) string { return s.charge("approve", s.link("GBP")) },
		"a finalized card": func(s *sandboxHarness) string {
			r := s.charge("approve", s.link("GBP"))
			s.finalize(r)
			return r
		},
		"an account": func(s *sandboxHarness) string { return s.pay("GBP", "PayByAccount", "", nil) },
		"a transfer paid in part": func(s *sandboxHarness) string {
			r := s.transfer("")
			must(s.t, s.sandbox.Pay(r, "1.00"))
			return r
		},
		"an expired transfer": func(s *sandboxHarness) string {
			r := s.transfer("")
			s.sandbox.Expire(r)
			return r
		},
		"a transfer of a link": func(s *sandboxHarness) string { return s.transfer(s.link("NGN")) },
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
				openSandbox(t, 80, 24, func(s *sandboxHarness) { reference = sort(s) }, func(s *sandboxHarness) {
					m := s.screen
					before, _ := s.sandbox.Payment(reference)
					shown := slices.ContainsFunc(m.Keys(), func(b key.Binding) bool { return b.Enabled() && slices.Contains(b.Keys(), k) })
					s.Press(k)
					after, _ := s.sandbox.Payment(reference)
					switch {
					case shown && k == "P":
						s.Sees("exactly what is due")
					case shown:
						s.Sees("is now " + after.State + ".").WaitsUntilGone("settled; the payment is now PENDING")
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

func TestAFaultIsArmedForAnOperationAndSoManyCalls(t *testing.T) {
	openSandbox(t, 80, 24, nil, func(s *sandboxHarness) {
		s.Press("F").Sees("making a payment", "the next call", "lost-answer").Press("enter")
		s.Sees("lost-answer armed for making a payment: the next call.", "lost-answer on initiate, the next call")
		s.Press("F", "right", "right", "tab", "tab", "up", "enter").Sees("no-answer on validate, the next 3 calls")
		s.Press("F", "left", "shift+tab", "enter").Sees("lost-answer on all, every call until cleared").Golden("sandbox/armed")
		want := []sandbox.ArmedFault{{Operation: "initiate", Fault: "lost-answer", Left: 1}, {Operation: "validate", Fault: "no-answer", Left: 3}, {Operation: "all", Fault: "lost-answer"}}
		if diff := cmp.Diff(want, s.sandbox.Armed()); diff != "" {
			t.Error(diff)
		}
		if s.Press("F", "x").Sees("All faults are disarmed.", "none armed"); len(s.sandbox.Armed()) != 0 {
			t.Error("faults are still armed")
		}
	})
}

func TestEveryFaultOfTheChooserCanBeArmed(t *testing.T) {
	openSandbox(t, 80, 24, nil, func(s *sandboxHarness) {
		made, place := 0, -1
		for _, f := range s.sandbox.Faults() {
			if place++; os.Getenv("PAYDESK_LONG") == "" && place%9 != 0 {
				continue
			}
			s.Press("F", "left", "home").Press(slices.Repeat([]string{"down"}, place)...)
			s.Sees("every call", f.Name).Press("enter")
			made++
			if all := s.sandbox.Armed(); len(all) != made || all[made-1].Fault != f.Name {
				t.Fatalf("%s was not armed: %v", f.Name, all)
			}
		}
		s.Fits() // however many are armed
	})
}

const (
	gone     = "http://127.0.0.1:1/hook" // nothing listens there
	goneToo  = "http://127.0.0.1:2/other"
	noneSent = "Nothing was sent: no URL is set. Add one first (e)."
)

// webhooks opens the list of webhooks, and runs tell with some URLs set.
func webhooks(t *testing.T, w, h int, urls []string, tell func(*sandboxHarness)) {
	t.Helper()
	openSandbox(t, w, h, func(s *sandboxHarness) {
		must(t, s.sandbox.SetWebhooks(urls))
	}, func(s *sandboxHarness) {
		defer s.sandbox.Close()
		s.Press("W")
		tell(s)
		s.Fits()
		if s.Green() != 0 {
			t.Error("a delivery is painted as success")
		}
	})
}

func TestAnUndeliveredWebhookIsRetriedAndSentAgain(t *testing.T) {
	webhooks(t, 80, 24, nil, func(s *sandboxHarness) {
		s.Sees("No webhooks were sent").Press("enter").Sees("There is no webhook yet.")
		s.Press("e").Type("ftp://shop.example").Press("enter").Sees("must be an http or https URL", "ftp://shop.example")
		s.Press("ctrl+u").Type(gone).Press("enter").Sees("are now sent there")
		ref := s.charge("decline", "")
		s.Wait(10*time.Millisecond).Press("down").Sees("payment.failed", ref[:4], "retry 00:", "could not be reached", `"Event": "payment.failed"`)
		s.Golden("sandbox/delivery")
		s.Fits().HelpBarFits()
		s.Wait(3*time.Minute).Sees("not delivered", "after 5 tries")
		s.Press("enter").Sees("The webhook is sent again.").Wait(500 * time.Millisecond)
		s.Press("down").Sees("after 6 tries. Next try at", "retry")
		s.Press("x").Sees("Remove a webhook URL").Press("enter").Sees("Webhooks are no longer sent to :1/hook.", "Not delivered: its URL was removed")
		s.Press("enter").Sees(noneSent).Press("r").Sees(noneSent)
		s.Press("esc").Sees("0 delivered, 1 not")
	})
}

// lastSent is the newest delivery, as the sandbox has it.
func (s *sandboxHarness) lastSent(want int) sandbox.Delivery {
	s.t.Helper()
	all := s.sandbox.Deliveries()
	if len(all) != want {
		s.t.Fatalf("%d webhooks, not %d", len(all), want)
	}
	return all[0]
}

func TestAWebhookIsEditedAndSent(t *testing.T) {
	webhooks(t, 80, 24, []string{gone, goneToo}, func(s *sandboxHarness) {
		s.Press("E", "enter").Wait(time.Second).Press("down", "up").Wait(time.Second)
		s.Press("+", "right").To("Line 5").Press("ctrl+u").Type(`"Reference": "B2",`)
		s.away.late.Store(int64(time.Second)) // so that a person presses twice
		s.Press("tab", "ctrl+u").Type(`"AmountPaid": "lots",`).Press("tab", "ctrl+u", "ctrl+s").Press("ctrl+s").Wait(2 * time.Second).Sees("The edited webhook is sent.")
		s.away.late.Store(0)
		d := s.lastSent(3)
		var body struct {
			Event string
			Data  obj
		}
		must(t, json.Unmarshal([]byte(d.Body), &body))
		_, has := body.Data["Amount"]
		if !d.Edited || d.Target != gone || d.Reference != "B2" || body.Data["AmountPaid"] != "lots" || has || body.Data["AppFee"] != 0.19 || body.Data["Metadata"] != nil {
			t.Errorf("%+v", d)
		}
		if s.Wait(3 * time.Second); !strings.Contains(s.Marked(), "B2") {
			t.Errorf("the mark is not at what was sent: %s", s.Marked())
		}
		s.Press("z").Sees("edited by hand")
		s.Press("esc", "x")
		must(t, s.sandbox.ChangeWebhooks(gone+"/new", "")) // another program sets a URL meanwhile
		if s.Press("enter"); !slices.Equal(s.sandbox.Webhooks(), []string{goneToo, gone + "/new"}) {
			t.Errorf("webhooks are sent to %q", s.sandbox.Webhooks())
		}
	})
}

func TestASecretIsNotSentInAWebhook(t *testing.T) {
	webhooks(t, 80, 24, []string{gone}, func(s *sandboxHarness) {
		s.Press("E", "enter").Wait(time.Second).Press("down", "up").Wait(time.Second)
		s.Press("+", "ctrl+u").Type(sandboxKey).Sees("not JSON from line 1").Press("ctrl+s").Sees("nothing was", "Edited webhook")
		if n := len(s.sandbox.Deliveries()); n != 1 {
			t.Errorf("%d webhooks", n)
		}
		s.Press("esc").Sees("SAMPLE1")
		if s.Press("+", "ctrl+u").Type("x").Press("ctrl+s").Wait(2 * time.Second); !strings.HasPrefix(s.lastSent(2).Body, "x\n\"") {
			t.Errorf("%q was sent", s.lastSent(2).Body)
		}
		must(t, s.sandbox.Send([]byte("  hello"), ""))
		s.Press("down").Wait(time.Second).Press("up", "up").Wait(time.Second).Press("+").Sees("7 bytes").Press("ctrl+s").Wait(2 * time.Second)
		if d := s.lastSent(4); d.Body != "  hello" {
			t.Errorf("%q was sent", d.Body)
		}
	})
}

// The body is the merchant's text and a stranger's: it is shown, and copied, without what a terminal would take for more.
func TestAHostileBodyIsShownSafely(t *testing.T) {
	webhooks(t, 120, 40, []string{gone}, func(s *sandboxHarness) {
		must(t, s.sandbox.Send([]byte("{\"event\":\"\u202e\x1b[31m\x07\",\n\"b64\":\"NDI0MjQyNDI0MjQyNDI0Mg==\"} \xff"), ""))
		s.Press("down").Wait(time.Second).Press("down").Wait(time.Second).Sees("^[[31m", "<U+202E>", "<FF>", "none named").WaitsUntilGone("NDI0MjQyNDI0MjQyNDI0Mg==")
		s.Press("y").Fits()
		s.Press("+").Sees("Edited webhook")
	})
}
