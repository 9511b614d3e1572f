package unlock_test

import (
	"testing"
	"testing/synctest"
	"time"

	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/screens/screentest"
	"paydesk/screens/unlock"
)

func open(t *testing.T, tell func(*screentest.Console)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		o := unlock.Options{Profile: "shop", Minutes: 15, Place: present.Target{Environment: "LIVE", Host: "payments.example"}}
		tell(screentest.Open(t, unlock.New(screentest.Theme, o), 80, 24))
	})
}

func TestTheNameSaysThatItIsUnlocked(t *testing.T) {
	open(t, func(c *screentest.Console) {
		c.Sees("Unlock sending for 15 minutes?", "LIVE · payments.example").Fits().HelpBarFits().Wait(time.Second)
		c.Idle(time.Hour)
		c.Slowly("shop").Press("right").Wait(time.Second).Press("enter").Wait(time.Second)
		c.Went(nav.Unlocked{})
	})
}

func TestHeldAndPastedKeysSayNothing(t *testing.T) {
	open(t, func(c *screentest.Console) {
		c.Wait(time.Second).Paste("shop").Flood("right", 1).Flood("enter", 100).Wait(time.Second)
		c.Went()
	})
}

func TestNoLeavesItLocked(t *testing.T) {
	open(t, func(c *screentest.Console) { c.Wait(time.Second).Press("enter").Wait(time.Second).Went(nav.Back{}) })
}
