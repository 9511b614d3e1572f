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

func open(t *testing.T, drive func(*screentest.Console)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		o := unlock.Options{Profile: "shop", Minutes: 15, Target: present.Target{Environment: "LIVE", Host: "payments.example"}}
		drive(screentest.Open(t, unlock.New(screentest.Theme, o), 80, 24))
	})
}

func TestTypingTheNameUnlocks(t *testing.T) {
	open(t, func(c *screentest.Console) {
		c.Sees("Unlock sending for 15 minutes?", "LIVE · payments.example").Fits().HelpBarFits().Wait(time.Second)
		c.Idle(time.Hour)
		c.Slowly("shop").Press("right").Wait(time.Second).Press("enter").Wait(time.Second)
		c.Went(nav.Unlocked{})
	})
}

func TestHeldAndPastedKeysDoNotUnlock(t *testing.T) {
	open(t, func(c *screentest.Console) {
		c.Wait(time.Second).Paste("shop").Flood("right", 1).Flood("enter", 100).Wait(time.Second)
		c.Went()
	})
}

func TestDecliningLeavesItLocked(t *testing.T) {
	open(t, func(c *screentest.Console) {
		c.Wait(time.Second).Press("enter").Wait(time.Second).Went().Press("n").Wait(time.Second).Went(nav.Back{})
	})
}

func TestItIsWholeInEveryWindow(t *testing.T) {
	for _, s := range []struct {
		name string
		w, h int
	}{{"60x18", 60, 18}, {"80x24", 80, 24}, {"120x40", 120, 40}, {"160x50", 160, 50}} {
		synctest.Test(t, func(t *testing.T) {
			o := unlock.Options{Profile: "shop", Minutes: 15, Target: present.Target{Environment: "LIVE", Host: "payments.example"}}
			c := screentest.Open(t, unlock.New(screentest.Theme, o), s.w, s.h)
			c.Wait(time.Second).Sees("── Unlock sending for 15 minutes? ──", "Type shop to continue", "Keep it locked", "Unlock").Golden(s.name)
		})
	}
}
