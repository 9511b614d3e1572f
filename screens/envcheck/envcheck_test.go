package envcheck_test

import (
	"testing"
	"testing/synctest"
	"time"

	"paydesk/api"
	"paydesk/api/gate"
	"paydesk/screens/envcheck"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/screens/screentest"
)

var claims = []gate.Evidence{
	{By: gate.ByProfile, Word: "test", Says: api.TestMode}, {By: gate.ByKey, Word: "live", Says: api.LiveMode},
	gate.Host(gate.ByHost, "https://a-very-long-name-of-a-host.of.the.payments.example:8443"), {By: gate.ByLink, Word: "Live", Says: api.LiveMode},
}

func open(t *testing.T, drive func(*screentest.Console)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		drive(screentest.Open(t, envcheck.New(screentest.Theme, present.Target{Environment: "TEST", Host: "payments.example"}, claims), 80, 24))
	})
}

func TestAcknowledgingCountsTheEvidenceShown(t *testing.T) {
	open(t, func(c *screentest.Console) {
		c.Sees("ENVIRONMENT MISMATCH", "The profile declares", "A new link was made in").Fits().Wait(time.Second)
		c.Idle(time.Hour)
		c.Slowly("live").Press("right").Wait(time.Second).Press("enter").Wait(time.Second)
		c.Went(nav.Acknowledged{Evidence: len(claims)})
	})
}

func TestWithoutTheWordNothingIsAcknowledged(t *testing.T) {
	open(t, func(c *screentest.Console) {
		c.Wait(time.Second).Paste("live").Press("right").Flood("enter", 50).Wait(time.Second).Went()
		c.Press("n").Wait(time.Second).Went(nav.Back{})
	})
}

func TestItIsWholeInEveryWindow(t *testing.T) {
	for _, s := range []struct {
		name string
		w, h int
	}{{"60x18", 60, 18}, {"80x24", 80, 24}, {"120x40", 120, 40}, {"160x50", 160, 50}} {
		synctest.Test(t, func(t *testing.T) {
			target := present.Target{Environment: "TEST", Host: "payments.example"}
			c := screentest.Open(t, envcheck.New(screentest.Theme, target, claims), s.w, s.h)
			c.Wait(time.Second).Sees("▐✗ ENVIRONMENT MISMATCH▌", "── Send anyway? ──", "Type live to continue").Golden(s.name)
		})
	}
}
