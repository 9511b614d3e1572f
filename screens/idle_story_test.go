package screens_test

import (
	"context"
	"testing"
	"time"

	"paydesk/keystore"
	"paydesk/screens/consoletest"
	"paydesk/screens/nav"
)

// A ring gives a key of its own each time, as a keyring does.
type ring struct {
	keystore.Store
	given []keystore.Key
}

func (r *ring) Name() string { return "keyring" }

func (r *ring) Get(context.Context, string) (keystore.Key, error) {
	k, err := keystore.ParseKey(consoletest.LiveKey)
	r.given = append(r.given, k)
	return k, err
}

func idleAfter(minutes int) consoletest.Option {
	return consoletest.As(func(p *keystore.Profile) { p.IdleLock = minutes })
}

func TestAConsoleThatNobodyUsesHidesAndItsSourceOpensIt(t *testing.T) {
	r := &ring{Store: keystore.NewMemory("keyring")}
	consoletest.Run(t, func(c *consoletest.Console) {
		unlocked(c)
		c.Press("n").Fill("Name", "Chairs of oak")
		c.Wait(14*time.Minute + 50*time.Second).Sees("Chairs of oak")
		c.Wait(20*time.Second).Sees("▐▲ LIVE▌", "Locked: no key was pressed for 15 minutes").WaitsUntilGone("Chairs", "New link", "Unlocked").Golden("lock/idle")
		before := len(c.Bytes())
		if c.Wait(2 * time.Hour); len(c.Bytes()) != before {
			t.Errorf("%d bytes were written while it was hidden", len(c.Bytes())-before)
		}
		c.Press("esc").Sees("Locked", "Press enter to unlock it").Press("f1").WaitsUntilGone("Chairs").Press("f1")
		c.Press("ctrl+l", "f2", "f3", "f4", "ctrl+g", ":", "l", "2", "tab", "y").Sees("Locked:").WaitsUntilGone("Chairs")
		if len(r.given) != 1 || !r.given[0].IsZero() {
			t.Errorf("the source was asked %d times, or the key is still there", len(r.given))
		}
		c.Press("enter").Wait(time.Second).Sees("New link", "Chairs of oak", "Sending is locked")
		if len(r.given) != 2 || r.given[1].IsZero() {
			t.Errorf("the source was asked %d times", len(r.given))
		}
		c.Press("esc", "2").Sees(" rows read")   // and it asks with a key
		c.Wait(16 * time.Minute).Sees("Locked:") // again
	}, consoletest.Live(), idleAfter(15), consoletest.Store(r), consoletest.As(func(p *keystore.Profile) { p.Source = "keyring" }))
}

func TestTheFirstKeyAfterTheMachineSleptOnlyHidesTheConsole(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Press("n").Sees("New link").Sleep(time.Hour)
		c.Press("x").Sees("Locked: no key was pressed for 15 minutes").WaitsUntilGone("New link")
	}, consoletest.Live(), idleAfter(15))
}

func TestEachKeyAndPasteRestartsTheTime(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Press("n")
		for range 10 {
			c.Wait(50 * time.Second).Press("tab").Wait(50 * time.Second).Paste("x")
		}
		c.Sees("New link").Wait(61 * time.Second).Sees("Locked: no key was pressed for a minute")
	}, consoletest.Live(), idleAfter(1))
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Wait(2 * time.Hour).Sees("Home")
	}, consoletest.Live(), idleAfter(0))
}

func TestCardDataIsWipedAndTheRestOfTheFormIsThere(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		pay(c, "12.50", "GBP", "approve")
		c.Sees("Charge 12.50 GBP to •••• 4242?").Wait(2 * time.Minute)
		c.Sees("Locked:").WaitsUntilGone("4242", "12.50", "Ada")
		c.Press("enter").Wait(time.Second).Sees("Card number", "https://shop.example/done").WaitsUntilGone("4242", "Charge")
		c.Wait(time.Second).Press("y", "enter").Wait(time.Second)
		c.Press("esc").Sees("Ada", "Obi").Press("esc", "esc").Sees("12.50")
		if n := c.Wire.PostsTo("/initiate"); n != 0 {
			t.Errorf("%d were sent", n)
		}
	}, idleAfter(1))
}

func TestWhatIsBeingSentIsSentAndItsAnswerWaits(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		pay(c, "12.50", "GBP", "approve")
		c.Wire.Slow(80 * time.Second)
		c.Yes("Charge 12.50 GBP to •••• 4242?")
		c.Wait(65 * time.Second).Sees("Locked:")
		c.Wire.Slow(0)
		c.Wait(time.Minute).Sees("Locked:").WaitsUntilGone("4242")
		c.Press("enter").Wait(time.Minute/2).Sees("SUCCESSFUL", "12.50 GBP")
		if n := c.Sandbox.Accepted(); n != 1 {
			t.Errorf("the service took %d", n)
		}
	}, idleAfter(1))
}

// questions returns how many GETs there were while d passed.
func questions(c *consoletest.Console, d time.Duration) int {
	before := len(c.Wire.Gets())
	c.Wait(d)
	return len(c.Wire.Gets()) - before
}

func TestAHiddenConsoleAsksOnInTestAndNotInLive(t *testing.T) {
	watch := func(c *consoletest.Console) {
		c.Send(nav.Push{To: nav.Payment{Reference: "00000000-0000-4000-8000-000000000000"}})
		c.Wire.Disconnect(true) // so that it goes on asking
		c.Press("r").Wait(61 * time.Second).Sees("Locked:")
		c.Wire.Disconnect(false)
	}
	consoletest.Run(t, func(c *consoletest.Console) {
		watch(c)
		if n := questions(c, 5*time.Minute); n == 0 {
			t.Error("in test nothing is more checks")
		}
	}, idleAfter(1), consoletest.As(func(p *keystore.Profile) { p.Environment = keystore.Test }))
	consoletest.Run(t, func(c *consoletest.Console) {
		watch(c)
		if n := questions(c, 5*time.Minute); n != 0 {
			t.Errorf("in live %d questions were asked", n)
		}
		before := len(c.Wire.Gets())
		if c.Press("enter").Wait(time.Second); len(c.Wire.Gets()) == before {
			t.Errorf("afterwards nothing is more checks\n%s", c.Boxed())
		}
	}, idleAfter(1), consoletest.Live())
}

func TestAKeyThatWasOnlyTypedIsTypedAgain(t *testing.T) {
	store := keystore.NewMemory("this run")
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Sees("Secret key").Type(consoletest.LiveKey).Press("enter").Wait(time.Second).Sees("Home")
		c.Wait(61 * time.Second).Sees("Locked:").Press("enter").Wait(time.Second)
		c.Sees("Secret key").WaitsUntilGone("Home").Press("esc").Sees("Locked:").Press("enter").Wait(time.Second)
		c.Type(consoletest.LiveKey).Press("enter").Wait(time.Second).Sees("Home")
	}, consoletest.Live(), idleAfter(1), consoletest.Store(store), consoletest.As(func(p *keystore.Profile) { p.Source = "ask" }))
}
