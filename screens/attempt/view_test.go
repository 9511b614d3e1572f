package attempt_test

import (
	"testing"
	"time"

	"paydesk/api/ledger"
)

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
