package attempt_test

import (
	"errors"
	"testing"
	"time"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/api/money"
	"paydesk/screens/nav"
)

func TestAStatusOfOurOwnReferenceResolvesIt(t *testing.T) {
	for name, c := range map[string]struct {
		named string
		want  api.Reference
	}{
		"the answer names another reference": {"ref-7", "ref-7"},
		"the answer names none":              {"", "OWN4567890ABCDEFGHIJ"},
		"the answer names nonsense":          {"../x", "OWN4567890ABCDEFGHIJ"},
	} {
		t.Run(name, func(t *testing.T) {
			open(t, time.Minute, 80, 24, func(_ *fakeJournal, s *fakeService) {
				s.transaction = api.PaymentStatus{Status: api.ParseStatus("PENDING"), OtherReference: api.CleanASCII(c.named), HasAmount: true, Amount: gbp(1250)}
			}, func(w *fixture) {
				w.Press("r")
				w.requested("OWN4567890ABCDEFGHIJ")
				w.decided("found " + string(c.want))
				w.Went(nav.Replace{To: nav.Payment{Reference: c.want}})
			})
		})
	}
}

func TestWithoutAStatusOurReferenceResolvesNothing(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*fakeService)
		shows  string
	}{
		"the service does not know it": {func(s *fakeService) {
			s.statusErr = &api.Refusal{Kind: api.KindService, HTTP: 404, Text: api.Clean("no such payment")}
		}, "no proof that nothing was made"},
		"nobody answers":     {func(s *fakeService) { s.statusErr = &api.Failure{Kind: api.KindTimeout} }, "The request timed out"},
		"there is no status": {func(s *fakeService) {}, "no status for our reference"},
		"it is another amount": {func(s *fakeService) {
			s.transaction = api.PaymentStatus{Status: api.ParseStatus("SUCCESSFUL"), HasAmount: true, Amount: gbp(99)}
		}, "another amount"},
		"its amount is no number": {func(s *fakeService) {
			s.transaction = api.PaymentStatus{Status: api.ParseStatus("SUCCESSFUL"), AmountText: api.CleanASCII("much")}
		}, "an amount that cannot be read: much"},
	} {
		t.Run(name, func(t *testing.T) {
			open(t, time.Minute, 80, 24, func(_ *fakeJournal, s *fakeService) { c.change(s) }, func(w *fixture) {
				w.Press("r").Sees("It is not known whether", c.shows).WaitsUntilGone("failed", "declined", "rejected")
				w.Fits()
				w.Went()
				w.decided()
				if w.Green() > 0 {
					t.Error("something is painted as a success")
				}
			})
		})
	}
}

func TestAReferenceTheServiceDoesNotHaveIsRejected(t *testing.T) {
	open(t, time.Minute, 80, 24, func(_ *fakeJournal, s *fakeService) {
		s.statusErr = &api.Refusal{Kind: api.KindService, HTTP: 404, Text: api.Clean("no such payment")}
	}, func(c *fixture) {
		decide(c.Console, "found as…").Type("ref-9").Press("enter").Sees("The service has no payment with this reference").WaitsUntilGone("Record that").Golden("found-unknown-80")
		c.Fits()
		c.decided()
		c.service.statusErr = &api.Failure{Kind: api.KindTimeout}
		c.Press("enter").Sees("Record that it was found as ref-9?", "could not be checked. The request timed out")
	})
	for shows, transaction := range map[string]api.PaymentStatus{
		"ANOTHER AMOUNT: 0.99 GBP instead of 12.50 GBP":         {Status: api.ParseStatus("SUCCESSFUL"), HasAmount: true, Amount: gbp(99)},
		"The service reports PENDING, 12.50 GBP.":               {Status: api.ParseStatus("PENDING"), AmountText: api.CleanASCII("12.50")},
		"The service reports FAILED, without a readable amount": {Status: api.ParseStatus("FAILED")},
		"found as ref-10?": {Status: api.ParseStatus("PENDING"), OtherReference: api.CleanASCII("ref-10")},
	} {
		open(t, time.Minute, 60, 18, func(_ *fakeJournal, s *fakeService) { s.transaction = transaction }, func(c *fixture) {
			decide(c.Console, "found as…").Type("ref-9").Press("enter").Sees(shows).Fits()
			if c.Green() > 0 {
				t.Error("something is painted as a success")
			}
		})
	}
}

func TestAResponseAboutTheFormerTextIsIgnored(t *testing.T) {
	open(t, time.Minute, 80, 24, func(_ *fakeJournal, s *fakeService) { s.statusDelay = time.Minute }, func(c *fixture) {
		decide(c.Console, "found as…").Type("ref-9").Press("enter").Sees("Checking the reference").Fits()
		c.Type("9").WaitsUntilGone("Checking the reference").Wait(time.Hour).WaitsUntilGone("Record that")
		c.Press("enter").Wait(time.Hour).Sees("Record that it was found as ref-99?")
	})
}

func TestWhatWasGivenUpCanStillBeFound(t *testing.T) {
	for _, v := range []ledger.Decision{ledger.GaveUp, ledger.NotFound} {
		open(t, time.Hour, 80, 24, func(b *fakeJournal, s *fakeService) {
			b.attempt.Decision, b.attempt.DecidedBy, b.attempt.DecidedAt = v, ada, time.Now()
			s.transaction = api.PaymentStatus{Status: api.ParseStatus("SUCCESSFUL")}
		}, func(c *fixture) {
			c.Press("r")
			c.decided("found OWN4567890ABCDEFGHIJ")
			c.Went(nav.Replace{To: nav.Payment{Reference: "OWN4567890ABCDEFGHIJ"}})
		})
	}
	open(t, time.Hour, 80, 24, func(b *fakeJournal, _ *fakeService) { b.attempt.Decision, b.attempt.Reference = ledger.Found, "ref-1" }, func(c *fixture) {
		c.WaitsUntilGone("m matches", "r check").Press("r", "m").Sees("It was found", "ref-1")
		c.requested()
	})
}

func TestADecisionIsRecordedEvenWhenThePersonLeaves(t *testing.T) {
	open(t, time.Minute, 80, 24, nil, func(c *fixture) {
		c.journal.writing = make(chan struct{})
		c.Press("x")
		c.Slowly("y").Sees("Recording…")
		c.Press("x", "d", "enter", "esc").Sees("Recording the decision")
		if !c.Busy() {
			t.Error("the console could end before it is recorded")
		}
		c.Leave()
		close(c.journal.writing)
		c.Wait(0)
		c.decided("gave up ")
	})
}

func TestADecisionThatCannotBeRecordedIsNotADecision(t *testing.T) {
	open(t, time.Minute, 80, 24, func(b *fakeJournal, _ *fakeService) { b.decideErr = &ledger.Unavailable{Why: "The disk is full."} }, func(c *fixture) {
		c.Press("x")
		c.Slowly("y").Sees("The decision was not recorded", "disk is full", "It is not known whether this payment was made")
		c.WaitsUntilGone("gave up")
		c.Went()
		c.Fits()
		if c.Busy() {
			t.Error("it is still busy")
		}
	})
}

func TestAJournalThatCannotBeReadIsReportedAndReadAgain(t *testing.T) {
	open(t, time.Minute, 80, 24, func(b *fakeJournal, _ *fakeService) { b.readErr = errors.New("the file is\x1b[2J gone") }, func(c *fixture) {
		c.Sees("could not be read", "the file is^[[2J gone").Fits()
		c.Press("y", "d", "enter", "x")
		c.journal.readErr = nil
		c.Press("r").Sees("It is not known").WaitsUntilGone("could not be read")
	})
}

func TestAnUnresolvedFinalizationMayBeRetriedAfterAMinute(t *testing.T) {
	open(t, 30*time.Second, 80, 24, func(b *fakeJournal, _ *fakeService) {
		b.attempt.Kind, b.attempt.Channel, b.attempt.Card, b.attempt.OwnReference = ledger.Finalize, "", "", ""
		b.attempt.Amount, b.attempt.Reference, b.attempt.Link = money.Amount{}, "ref-1", ""
	}, func(c *fixture) {
		c.Sees("It is not known whether it was finalized", "ref-1").WaitsUntilGone("retry finalize", "m matches").Fits().Golden("finalize-80")
		c.Press("f").Sees("Check the status first")
		c.Went()
		c.Wait(31 * time.Second).Sees("retry finalize")
		c.Press("enter")
		c.Went(nav.Push{To: nav.Payment{Reference: "ref-1"}})
		c.Press("f")
		c.Went(nav.Push{To: nav.Finalize{Reference: "ref-1"}})
	})
}

// An attempt of another service is shown, and neither asked about nor decided here.
func TestAnAttemptOfAnotherServiceIsOnlyShown(t *testing.T) {
	open(t, time.Hour, 80, 24, func(b *fakeJournal, _ *fakeService) {
		b.attempt.Destination = ledger.Destination{Profile: "live", Environment: "LIVE", Host: "live.example"}
	}, func(c *fixture) {
		c.Sees("Sent from profile live, to another service (LIVE · live.example).").WaitsUntilGone("d decide", "x give up", "m matches", "r check").Fits()
		for _, k := range []string{"d", "x", "m", "u", "enter", "s", "p", "c"} {
			c.Press(k).Sees("open a profile of that one to continue")
		}
		c.Press("r")
		c.Went()
		c.requested()
		c.decided()
	})
}
