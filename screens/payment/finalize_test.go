package payment_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/screens/nav"
	"paydesk/screens/payment"
	"paydesk/screens/present"
	"paydesk/screens/screentest"
)

var test = present.Target{Environment: "TEST", Host: "payments.example"}

// A service accepts finalizations, or not.
type service struct {
	sent   []api.Reference
	err    error
	thrown bool
	wait   chan struct{} // if set, the response waits for it
}

func (s *service) Finalize(ctx context.Context, r api.Reference) (api.Finalization, error) {
	s.sent = append(s.sent, r)
	if s.wait != nil {
		select {
		case <-s.wait:
		case <-ctx.Done():
			return api.Finalization{}, &api.Unresolved{Kind: api.KindTimeout}
		}
	}
	if s.thrown {
		panic("broken")
	}
	return api.Finalization{Status: api.Clean("completed"), Message: api.Clean("Transaction SUCCESSFUL"), Code: api.Clean("00")}, s.err
}

// made is a link's payment after its initiation.
func made(p api.Payment) *desk {
	p.Reference = "ref-1"
	return at(screentest.Money(1250, "GBP"), ledger.Attempt{Channel: api.ChannelCard, Card: "4242", Link: "0-abc"}, p)
}

var challenged = api.Payment{BankAuthRefused: api.Clean("not https")}

func openFinalize(t *testing.T, w, h int, s *service, p *desk, target present.Target, drive func(*screentest.Console)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		drive(screentest.Open(t, payment.NewFinalize(screentest.Theme, s, p, target, "ref-1"), w, h))
	})
}

func TestFinalizingAsksFirstAndDoesNotPaintTheResponseAsSuccess(t *testing.T) {
	s := &service{}
	openFinalize(t, 80, 24, s, made(api.Payment{}), test, func(c *screentest.Console) {
		c.Sees("Finalize ref-1?", "12.50 GBP by •••• 4242", "TEST · payments.example").Golden("ask").Fits()
		c.Yes("Finalize").Sees("The service accepted it", "completed", "00").Golden("answered").Fits().Idle(time.Hour)
		c.Sees("Transaction SUCCESSFUL", "not the payment's final status").WaitsUntilGone("✓ SUCCESSFUL", "✓ The service", "✓ completed")
		if n := c.Green(); n > 0 {
			t.Errorf("%d cells have the colour of success", n)
		}
		c.Press("enter").Went(nav.Replace{To: nav.Payment{Reference: "ref-1"}})
		if len(s.sent) != 1 || s.sent[0] != "ref-1" {
			t.Errorf("sent %v", s.sent)
		}
	})
}

func TestTheScreenSaysWhyAPaymentCannotBeFinalized(t *testing.T) {
	lost := made(api.Payment{})
	transfer := made(api.Payment{})
	transfer.entry.Channel = api.ChannelTransfer
	failed := made(api.Payment{})
	failed.entry.Status = api.ParseStatus("FAILED")
	twice := made(api.Payment{})
	twice.entry.Finalized = true
	for name, c := range map[string]struct {
		p   *desk
		why string
	}{
		"challenge": {made(challenged), "The customer must complete the bank's check first."},
		"transfer":  {transfer, "The customer must make the transfer first."},
		"failed":    {failed, "The payment failed; there is nothing to finalize."},
		"twice":     {twice, "The payment was already finalized."},
	} {
		t.Run(name, func(t *testing.T) {
			s := &service{}
			openFinalize(t, 80, 24, s, c.p, test, func(c2 *screentest.Console) {
				c2.Sees("This payment cannot be finalized now", c.why).Fits()
				c2.Flood("y", 20).Flood("enter", 5).Wait(time.Second).Press("y", "r").Went()
				c2.Press("enter").Went(nav.Replace{To: nav.Payment{Reference: "ref-1"}})
				if len(s.sent) != 0 {
					t.Errorf("sent %v", s.sent)
				}
			})
		})
	}
	synctest.Test(t, func(t *testing.T) {
		lost.entry.FinalizeUnresolvedAt = time.Now()
		c := screentest.Open(t, payment.NewFinalize(screentest.Theme, &service{}, lost, test, "ref-1"), 80, 24)
		c.Sees("The last finalize got no answer").Fits()
		elsewhere := &desk{}
		elsewhere.elsewhere.FinalizeUnresolvedAt = time.Now()
		screentest.Open(t, payment.NewFinalize(screentest.Theme, &service{}, elsewhere, test, "ref-1"), 80, 24).Sees("The last finalize got no answer")
		time.Sleep(api.FinalizeAgain)
		screentest.Open(t, payment.NewFinalize(screentest.Theme, &service{}, lost, test, "ref-1"), 80, 24).Sees("Finalize ref-1?")
	})
}

func TestWhileSendingTheScreenStaysAndNothingIsSentTwice(t *testing.T) {
	s := &service{}
	p := made(api.Payment{})
	openFinalize(t, 80, 24, s, p, test, func(c *screentest.Console) {
		s.wait = make(chan struct{})
		c.Yes("Finalize").Sees("Finalizing…").Fits()
		c.Flood("enter", 50).Flood("y", 50).Press("esc", "r").Went()
		c.Press("esc").Sees("The payment is being finalized")
		close(s.wait)
		c.Flood("enter", 1).Sees("The service accepted it").Went()
		if len(s.sent) != 1 || c.Busy() {
			t.Errorf("sent %v, busy %v", s.sent, c.Busy())
		}
	})
}

func TestAfterARefusalItMayBeTriedAgain(t *testing.T) {
	for _, err := range []error{&api.Refusal{Kind: api.KindService, HTTP: 422, Text: api.Clean("not authorised yet\x1b[2J")}, &api.Failure{Kind: api.KindConnect}} {
		s := &service{err: err}
		openFinalize(t, 80, 24, s, made(api.Payment{}), test, func(c *screentest.Console) {
			c.Yes("Finalize").Sees("✗ Not finalized", "Nothing was").Fits().HelpBarFits()
			s.err = nil
			c.Press("r").Yes("Finalize ref-1?").Sees("The service accepted it").Went()
			if len(s.sent) != 2 {
				t.Errorf("sent %v", s.sent)
			}
		})
	}
}

func TestAnUnresolvedFinalizeIsNotTriedAgain(t *testing.T) {
	for _, s := range []*service{{err: &api.Unresolved{Kind: api.KindTimeout, Detail: api.Clean("context deadline exceeded")}}, {thrown: true}} {
		openFinalize(t, 80, 24, s, made(api.Payment{}), test, func(c *screentest.Console) {
			c.Yes("Finalize").Sees("It is not known whether it was finalized", "Do not send it again").Fits()
			c.WaitsUntilGone("try again", "Not finalized", "failed.")
			c.Press("r", "y").Wait(time.Second).Press("r").WaitsUntilGone("Finalize ref-1?").Went()
			c.Press("enter").Went(nav.Replace{To: nav.Payment{Reference: "ref-1"}})
			if len(s.sent) != 1 {
				t.Errorf("sent %v", s.sent)
			}
		})
	}
}

func TestWithoutAResponseItIsUnresolvedAfterNinetySeconds(t *testing.T) {
	s := &service{}
	openFinalize(t, 80, 24, s, made(api.Payment{}), test, func(c *screentest.Console) {
		s.wait = make(chan struct{})
		c.Yes("Finalize").Wait(88 * time.Second).Sees("Finalizing…")
		c.Wait(3 * time.Second).Sees("It is not known whether it was finalized")
	})
}

func TestInLiveAWordIsTypedFirst(t *testing.T) {
	live := present.Target{Environment: "LIVE", Host: "payments.example"}
	for _, c := range []struct {
		p     *desk
		typed string
	}{{made(api.Payment{}), "12.50"}, {&desk{}, "finalize"}} {
		s := &service{}
		openFinalize(t, 80, 24, s, c.p, live, func(c2 *screentest.Console) {
			c2.Sees("Type "+c.typed, "LIVE").Fits()
			c2.Wait(time.Second).Press("right", "y").Wait(time.Second).Press("enter").Wait(time.Second)
			if len(s.sent) != 0 {
				t.Fatalf("sent %v", s.sent)
			}
		})
		openFinalize(t, 80, 24, s, c.p, live, func(c2 *screentest.Console) {
			c2.Slowly(c.typed).Press("right").Wait(time.Second).Press("enter").Wait(time.Second).Sees("The service accepted it")
		})
	}
}

func TestAFinalizeOfAnotherConsoleIsNamed(t *testing.T) {
	other := ledger.Attempt{ID: "7k3f9q2mzx", Kind: ledger.Finalize, At: time.Now(), By: ledger.Operator{User: "ada", Host: "desk1"}}
	for _, c := range []struct {
		outcome ledger.Outcome
		decided ledger.Decision
		want    string
	}{
		{ledger.Sent, "", "is finalizing this payment now."}, {ledger.Unresolved, "", "may have finalized this payment"},
	} {
		other.Outcome, other.Decision = c.outcome, c.decided
		s := &service{err: &ledger.FinalizeConflict{Other: other}}
		openFinalize(t, 80, 24, s, made(api.Payment{}), test, func(d *screentest.Console) {
			d.Wait(time.Second).Press("y")
			d.Sees("This payment cannot be finalized now", "Nothing was sent. Attempt 7k3f, sent by ada on desk1 at", "Check the status (enter).")
			d.Sees(strings.Fields(c.want)...).WaitsUntilGone("try again").Fits()
		})
	}
}

// The mismatch arrives while the question is on the screen, or another console has learnt of it.
func TestAMismatchThatArrivesDuringTheQuestionStopsIt(t *testing.T) {
	differs := ledger.Mismatch{Difference: api.Difference{What: api.AmountDiffers}, At: time.Now()}
	s, p := &service{}, made(api.Payment{})
	openFinalize(t, 80, 24, s, p, test, func(c *screentest.Console) {
		c.Sees("Finalize ref-1?")
		p.entry.Mismatch = differs
		c.Yes("Finalize").Sees("This payment cannot be finalized now", "A mismatch: decide about it first").Fits()
		if len(s.sent) != 0 {
			t.Errorf("sent %v", s.sent)
		}
	})
	s = &service{err: &ledger.FinalizeConflict{Other: ledger.Attempt{Kind: ledger.Initiate, Mismatch: differs}}}
	openFinalize(t, 60, 18, s, made(api.Payment{}), test, func(c *screentest.Console) {
		c.Yes("Finalize").Sees("Nothing was sent.", "A mismatch: decide about it first").WaitsUntilGone("Attempt", "try again").Fits()
	})
}
