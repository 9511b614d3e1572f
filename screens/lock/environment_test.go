package lock_test

import (
	"testing"
	"testing/synctest"
	"time"

	"paydesk/api"
	"paydesk/api/session"
	"paydesk/screens/lock"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/screens/screentest"
	"paydesk/ui"
)

var claims = []session.Evidence{
	{By: session.ByProfile, Word: "test", Says: api.TestMode}, {By: session.ByKey, Word: "live", Says: api.LiveMode},
	session.HostEvidence(session.ByHost, "https://a-very-long-name-of-a-host.of.the.payments.example:8443"), {By: session.ByLink, Word: "Live", Says: api.LiveMode},
}

func environment() ui.Screen {
	return lock.NewEnvironment(screentest.Theme, present.Target{Environment: "TEST", Host: "payments.example"}, claims)
}

func checking(t *testing.T, drive func(*screentest.Console)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) { drive(screentest.Open(t, environment(), 80, 24)) })
}

func TestAcknowledgingCountsTheEvidenceShown(t *testing.T) {
	checking(t, func(c *screentest.Console) {
		c.Sees("ENVIRONMENT MISMATCH", "The profile declares", "A new link was made in").Fits().Wait(time.Second)
		c.Idle(time.Hour)
		c.Slowly("live").Press("right").Wait(time.Second).Press("enter").Wait(time.Second)
		c.Went(nav.Acknowledged{Evidence: len(claims)})
	})
}

func TestWithoutTheWordNothingIsAcknowledged(t *testing.T) {
	checking(t, func(c *screentest.Console) {
		c.Wait(time.Second).Paste("live").Press("right").Flood("enter", 50).Wait(time.Second).Went()
		c.Press("n").Wait(time.Second).Went(nav.Back{})
	})
}

func TestTheEvidenceIsWholeInEveryWindow(t *testing.T) {
	inEachWindow(t, environment, func(c *screentest.Console, window string) {
		c.Wait(time.Second).Sees("▐✗ ENVIRONMENT MISMATCH▌", "── Send anyway? ──", "Type live to continue").Golden("environment/" + window)
	})
}
