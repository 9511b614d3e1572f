package lock_test

import (
	"testing"
	"testing/synctest"
	"time"

	"paydesk/keystore"
	"paydesk/screens/lock"
	"paydesk/screens/nav"
	"paydesk/screens/screentest"
)

func TestOnlyEnterUnlocksAndOnlyWithTheKey(t *testing.T) {
	for _, silent := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			p := keystore.Profile{Name: "shop", IdleLock: 15}
			c := screentest.Open(t, lock.NewIdle(screentest.Theme, p, silent), 80, 24)
			c.Sees("Locked: no key was pressed for 15 minutes").Fits().Idle(time.Hour)
			c.Press("y", "tab", "space", "esc").Sees("Press enter to unlock it").Went()
			c.Press("enter").Went(nav.Push{To: nav.Key{Profile: p, Return: true}})
		})
	}
}
