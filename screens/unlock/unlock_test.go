package unlock_test

import (
	"testing"
	"testing/synctest"
	"time"

	"paydesk/screens/nav"
	"paydesk/screens/show"
	"paydesk/screens/solo"
	"paydesk/screens/unlock"
)

func open(t *testing.T, tell func(*solo.Console)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		o := unlock.Options{Profile: "shop", Minutes: 15, Place: show.Place{Environment: "LIVE", Host: "payments.example"}}
		tell(solo.Open(t, unlock.New(solo.Theme, o), 80, 24))
	})
}

func TestTheNameSaysThatItIsUnlocked(t *testing.T) {
	open(t, func(c *solo.Console) {
		c.Sees("Unlock sending for 15 minutes?", "LIVE · payments.example").Fits().Bar().Wait(time.Second)
		c.Idle(time.Hour)
		c.Slowly("shop").Press("right").Wait(time.Second).Press("enter").Wait(time.Second)
		c.Went(nav.Unlocked{})
	})
}

func TestHeldAndPastedKeysSayNothing(t *testing.T) {
	open(t, func(c *solo.Console) {
		c.Wait(time.Second).Paste("shop").Flood("right", 1).Flood("enter", 100).Wait(time.Second)
		c.Went()
	})
}

func TestNoLeavesItLocked(t *testing.T) {
	open(t, func(c *solo.Console) { c.Wait(time.Second).Press("enter").Wait(time.Second).Went(nav.Back{}) })
}
