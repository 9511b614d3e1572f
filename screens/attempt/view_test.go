package attempt_test

import (
	"testing"
	"time"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/screens/nav"
)

func TestAPaymentThatCameToNothingIsCollectedAgain(t *testing.T) {
	failed := func(b *fakeJournal, _ *fakeService) {
		b.attempt.Outcome, b.attempt.Reference = ledger.Accepted, "ref-7"
		b.attempt.Status, b.attempt.StatusAt = api.ParseStatus("FAILED"), b.attempt.AnsweredAt
	}
	open(t, time.Hour, 120, 40, failed, func(c *fixture) {
		c.Sees("▐✗ FAILED▌", "12.50 GBP").Golden("failed-120").Fits().HelpBarFits()
		c.Sees("c collect again", "s status").Press("c")
		push, _ := c.LastRequest().(nav.Push)
		to, _ := push.To.(nav.Collect)
		if to.Again == nil || to.Again.Amount != gbp(1250) {
			t.Errorf("c leads to %#v", push.To)
		}
		c.Went(push)
		c.Press("s").Went(nav.Push{To: nav.Payment{Reference: "ref-7"}})
	})
	open(t, time.Hour, 120, 40, nil, func(c *fixture) {
		c.WaitsUntilGone("collect again", "s       status").Press("c").Sees("Only a payment that failed, or was never made").Went()
		c.Press("s").Sees("whose reference is known can be opened").Went()
	})
	open(t, time.Hour, 120, 40, func(b *fakeJournal, s *fakeService) {
		failed(b, s)
		b.attempt.Destination.Host = "elsewhere.example"
	}, func(c *fixture) {
		c.WaitsUntilGone("collect again").Press("c").Sees("to another service").Went()
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
