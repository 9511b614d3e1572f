package lock_test

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"paydesk/screens/lock"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/screens/screentest"
	"paydesk/ui"
)

// inEachWindow runs a screen in each window.
func inEachWindow(t *testing.T, screen func() ui.Screen, look func(c *screentest.Console, window string)) {
	for _, s := range [][2]int{{60, 18}, {120, 40}} {
		synctest.Test(t, func(t *testing.T) {
			look(screentest.Open(t, screen(), s[0], s[1]), fmt.Sprintf("%dx%d", s[0], s[1]))
		})
	}
}

func unlock() ui.Screen {
	o := lock.UnlockOptions{Profile: "shop", Minutes: 15, Target: present.Target{Environment: "LIVE", Host: "payments.example"}}
	return lock.NewUnlock(screentest.Theme, o)
}

func unlocking(t *testing.T, drive func(*screentest.Console)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) { drive(screentest.Open(t, unlock(), 80, 24)) })
}

func TestTypingTheNameUnlocks(t *testing.T) {
	unlocking(t, func(c *screentest.Console) {
		c.Sees("Unlock sending for 15 minutes?", "LIVE · payments.example").Fits().HelpBarFits().Wait(time.Second)
		c.Idle(time.Hour)
		c.Slowly("shop").Press("right").Wait(time.Second).Press("enter").Wait(time.Second)
		c.Went(nav.Unlocked{})
	})
}

func TestHeldAndPastedKeysDoNotUnlock(t *testing.T) {
	unlocking(t, func(c *screentest.Console) {
		c.Wait(time.Second).Paste("shop").Flood("right", 1).Flood("enter", 100).Wait(time.Second)
		c.Went()
	})
}

func TestDecliningLeavesItLocked(t *testing.T) {
	unlocking(t, func(c *screentest.Console) {
		c.Wait(time.Second).Press("enter").Wait(time.Second).Went().Press("n").Wait(time.Second).Went(nav.Back{})
	})
}
