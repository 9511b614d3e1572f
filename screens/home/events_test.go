package home_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"paydesk/api"
	"paydesk/screens/home"
	"paydesk/screens/nav"
	"paydesk/screens/screentest"
)

// disagreeing is a store of webhooks: each value that is sent to it is how many disagree then.
type disagreeing chan int

func (d disagreeing) Disagree(ctx context.Context, version uint64) (int, uint64, error) {
	select {
	case n := <-d:
		return n, version + 1, nil
	case <-ctx.Done():
		return 0, version, ctx.Err()
	}
}

func TestWebhooksThatDisagreeLeadToTheInbox(t *testing.T) {
	for name, size := range map[string][2]int{"events": {80, 24}, "events-small": {60, 18}, "events-wide": {120, 40}} {
		synctest.Test(t, func(t *testing.T) {
			none, events := payments{}, make(disagreeing)
			c := screentest.Open(t, home.New(screentest.Theme, &none, home.Options{Journal: true, Events: events}), size[0], size[1])
			c.Sees("Nothing needs attention").WaitsUntilGone("disagree")
			events <- 3
			c.Wait(time.Second).Sees("3 events disagree with the service", "✗ 3 events disagree").Fits().Golden(name)
			c.Press("up", "up", "up").Press("enter").Went(nav.Push{To: nav.Inbox{Query: "verdict:disagrees"}})
			c.Press("down").Sees("Collect a payment")
			events <- 0
			c.Wait(2 * time.Second).Sees("Nothing needs attention").WaitsUntilGone("disagree").Press("enter").Went(nav.Push{To: nav.Collect{}})
			none = append(none, paid("REF1", "card", "", api.Payment{}, "SUCCESSFUL"))
			events <- 12
			c.Press("r").Wait(2 * time.Second).Sees("12 events disagree").Fits().Idle(time.Minute)
		})
	}
}
