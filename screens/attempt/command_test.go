package attempt_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"paydesk/screens/attempt"
	"paydesk/screens/screentest"
	"paydesk/ui"
)

// The command names a decision only while a person is making that one.
func TestTheCommandOfAnAttemptIsTheDecisionThatIsBeingMade(t *testing.T) {
	for name, of := range map[string]struct {
		make func(*screentest.Console)
		want string
	}{
		"shown":        {func(*screentest.Console) {}, "activity show k3f9m2x7qa"},
		"not found":    {func(c *screentest.Console) { decide(c, "not found").Sees("never made?") }, "resolve --not-found k3f9m2x7qa"},
		"give up":      {func(c *screentest.Console) { decide(c, "give up").Sees("Stop trying") }, "resolve --give-up k3f9m2x7qa"},
		"nothing yet":  {func(c *screentest.Console) { decide(c, "found as…") }, "activity show k3f9m2x7qa"},
		"found, typed": {func(c *screentest.Console) { decide(c, "found as…").Type("ref-9") }, "resolve --found ref-9 k3f9m2x7qa"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m := attempt.New(screentest.Theme, &fakeJournal{attempt: lost(time.Hour)}, &fakeService{}, shop, id, false)
				c := screentest.Open(t, m, 80, 24)
				of.make(c)
				if got := strings.Join(c.Top().(ui.Commander).Command(), " "); got != of.want {
					t.Errorf("%q, not %q", got, of.want)
				}
			})
		})
	}
}
