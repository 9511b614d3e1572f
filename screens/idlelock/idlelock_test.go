package idlelock_test

import (
	"testing"
	"testing/synctest"
	"time"

	"paydesk/keystore"
	"paydesk/screens/idlelock"
	"paydesk/screens/nav"
	"paydesk/screens/screentest"
)

func TestOnlyEnterUnlocksAndOnlyWithTheKey(t *testing.T) {
	for _, silent := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			p := keystore.Profile{Name: "shop", IdleLock: 15}
			c := screentest.Open(t, idlelock.New(screentest.Theme, p, silent), 80, 24)
			c.Sees("Locked: no key was pressed for 15 minutes").Fits().Idle(time.Hour)
			c.Press("y", "tab", "space", "esc").Sees("Press enter to unlock it").Went()
			c.Press("enter").Went(nav.Push{To: nav.Key{Profile: p, Return: true}})
		})
	}
}

func TestItIsWholeInEveryWindow(t *testing.T) {
	for _, s := range []struct {
		name string
		w, h int
	}{{"60x18", 60, 18}, {"80x24", 80, 24}, {"120x40", 120, 40}, {"160x50", 160, 50}} {
		synctest.Test(t, func(t *testing.T) {
			c := screentest.Open(t, idlelock.New(screentest.Theme, keystore.Profile{Name: "shop", IdleLock: 15}, true), s.w, s.h)
			c.Sees("── Locked: no key was pressed for 15 minutes ──", "enter unlock").Golden(s.name)
		})
	}
}
