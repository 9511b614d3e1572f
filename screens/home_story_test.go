package screens_test

import (
	"strings"
	"testing"
	"time"

	"paydesk/api"
	"paydesk/api/sandbox"
	"paydesk/keystore"
	"paydesk/screens/consoletest"
	"paydesk/screens/nav"
)

func TestHomeAsksByItselfAndEachLineChangesInItsPlace(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		pay(c, "12.50", "GBP", "pending-long")
		c.Yes("Charge 12.50 GBP").Wait(10 * time.Second).Sees("PENDING")
		one := reference(c)
		c.Press("esc")
		pay(c, "7", "GBP", "pending-long")
		c.Yes("Charge 7.00 GBP").Wait(10 * time.Second).Sees("PENDING")
		two := reference(c)
		c.Press("esc").Wait(time.Second).Sees("2 in progress", "as of 00:00:2")
		before := c.Line("as of ")
		c.Sees("▌ ◌ PENDING                   12.50 GBP")
		if !c.Sandbox.Settle(one) {
			t.Fatal("the payment could not be settled")
		}
		c.Wait(time.Minute).Sees("1 in progress", "▌ ✓ SUCCESSFUL                12.50 GBP", "  ◌ PENDING                    7.00 GBP")
		if c.Line("as of ") == before {
			t.Errorf("the list does not say that it is newer:\n%s", c.Boxed())
		}
		c.Sandbox.Settle(two)
		c.Wait(time.Minute).Sees("Nothing needs attention", "Just settled").Golden("home/settled")
		if n := questions(c, time.Hour); n != 0 {
			t.Errorf("%d more were asked about what is final", n)
		}
	})
}

func TestHomeAsksNothingWhileItIsCoveredOrHidden(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		pay(c, "12.50", "GBP", "challenge") // which nobody meets
		c.Yes("Charge 12.50 GBP to •••• 1019?").Sees("Bank check").Press("esc").Wait(time.Second).Sees("INITIATED")
		c.Press("3").Wait(time.Second).Sees("Activity")
		if n := questions(c, 10*time.Minute); n != 0 {
			t.Errorf("%d were asked for a screen that nobody sees", n)
		}
		before := len(c.Wire.Gets())
		if c.Press("esc").Wait(time.Second).Sees("Menu"); len(c.Wire.Gets()) != before+1 {
			t.Error("it is not asked at once on return")
		}
		c.Wait(20 * time.Minute).Sees("checks have ended, r checks again")
		if c.Press("r").Wait(time.Second).WaitsUntilGone("checks have ended"); questions(c, time.Minute) == 0 {
			t.Error("r does not begin again")
		}
		c.Wait(30 * time.Minute).Sees("Locked:")
		if n := questions(c, 10*time.Minute); n != 0 {
			t.Errorf("%d were asked for a screen that is hidden", n)
		}
		before = len(c.Wire.Gets())
		if c.Press("enter").Wait(time.Second).Sees("1 in progress"); len(c.Wire.Gets()) == before {
			t.Error("it is not asked once the console is unlocked")
		}
	}, idleAfter(30))
}

func TestHomeSaysWhyNothingIsChecked(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		pay(c, "12.50", "GBP", "pending-long")
		c.Yes("Charge 12.50 GBP").Wait(10 * time.Second).Sees("PENDING").Press("esc").Wait(time.Second)
		c.Wire.Disconnect(true)
		c.Wait(time.Minute).Sees("as of 00:00:", "1 of 1 could not be checked", "Next check at").Golden("home/unreachable")
		c.Wire.Disconnect(false)
		c.Press("r").Wait(time.Second).WaitsUntilGone("could not be checked")
		c.Wire.AcceptKey("another")
		c.Wait(time.Minute).Sees("nothing is checked", "The service rejected the key: ctrl+g").Golden("home/rejected")
		if n := questions(c, time.Hour); n != 0 {
			t.Errorf("%d were asked with a key that was rejected", n)
		}
		if c.Press("r").Sees("ctrl+g").Press("2", "esc").Wait(time.Minute).Sees("Menu"); questions(c, time.Hour) != 0 {
			t.Error("the return to it asks with a key that was rejected")
		}
	})
}

func TestHomeNeverSaysThatAllIsWellBeforeItKnows(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		if n := len(c.Wire.Gets()); n != 1 {
			t.Errorf("it has asked %d times whether the service answers", n)
		}
		c.Sees("Nothing needs attention").WaitsUntilGone("was checked yet")
		if n := questions(c, time.Hour); n != 0 {
			t.Errorf("%d more were asked while nothing is in progress", n)
		}
		c.Wire.Disconnect(true)
		c.Press("r").Wait(time.Minute).Sees("▲ The host could not be reached · r checks again").WaitsUntilGone("Nothing needs attention", "as of")
		c.Wire.Disconnect(false)
		c.Press("r").Wait(time.Second).Sees("Nothing needs attention").WaitsUntilGone("could not be reached")
	})
}

// Activity asks about the rows that it shows when it is told to, and about none by itself.
func TestActivityAsksAboutItsRowsOnR(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		pay(c, "12.50", "GBP", "pending-long")
		c.Yes("Charge 12.50 GBP").Wait(10 * time.Second).Sees("PENDING")
		ref := reference(c)
		c.Press("esc", "3").Wait(time.Second).Sees("Activity", "◌ PENDING")
		c.Sandbox.Settle(ref)
		if n := questions(c, time.Hour); n != 0 {
			t.Errorf("%d were asked by itself", n)
		}
		c.Wire.Disconnect(true)
		c.Press("r").Wait(time.Minute).Sees("1 of 1 could not be checked. The host could not be reached.", "◌ PENDING")
		c.Wire.Disconnect(false)
		before := len(c.Wire.Gets())
		c.Press("r").Wait(time.Second).Sees("✓ SUCCESSFUL", "1 payment was checked.")
		if row := c.Marked(); strings.Contains(row, "PENDING") {
			t.Errorf("the row is %q", row)
		}
		if n := len(c.Wire.Gets()) - before; n != 1 {
			t.Errorf("asked %d times", n)
		}
		if c.Press("r").Wait(time.Second); len(c.Wire.Gets())-before != 1 {
			t.Error("a final payment was asked about")
		}
	})
}

// A link is paid by a transfer that nobody makes. It leaves the list by itself, and until then its status is shown.
func TestALinkPaidByATransferThatExpiresLeavesHome(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		createLink(c, "Chairs", "once", "NGN", "1500.00")
		c.Wait(time.Second).Press("enter").Sees("fixes amount").Press("enter").Sees("PayByTransfer").Press("down", "enter")
		customer(c.Person)
		c.Press("ctrl+s").Yes("1,500.00 NGN")
		c.Sees("Account").Press("d").Sees("Finalize").Press("esc", "esc", "esc", "esc").Sees("Menu", "1 in progress")
		c.Press("enter").Wait(time.Second).Sees("1,500.00 NGN", "press f").Press("esc").Sees("Menu")
		c.Sandbox.Forward(31 * time.Minute)
		c.Wait(time.Minute).Sees("✗ FAILED").WaitsUntilGone("CUSTOMER MUST PAY", "in progress")
	}, consoletest.WithSandbox(func(o *sandbox.Options) { o.ManualTransfers = true }))
}

// What another profile of the same file sent to another service is not listed, until it is looked up.
func TestAPaymentOfAnotherProfileIsListedOnceItWasLookedUp(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		pay(c, "12.50", "GBP", "pending-long")
		c.Yes("Charge 12.50 GBP").Wait(10 * time.Second).Sees("PENDING")
		other := c.AgainAs(func(p *keystore.Profile) { p.Name, p.Environment = "shop", keystore.Test })
		other.Sees("Nothing needs attention").WaitsUntilGone("PENDING", "12.50 GBP")
		ref := reference(c)
		other.Press("l").Fill("Reference", ref).Press("enter").Wait(time.Second).Sees("PENDING").Press("esc", "esc")
		other.Sees("Nothing needs attention", "Looked up", "PENDING", "12.50 GBP", "looked up", ref)
		later := other.Again()
		later.Sees("PENDING", "looked up", ref)
		c.Sandbox.Settle(ref)
		later.Wait(time.Minute).Sees("✓ SUCCESSFUL", "looked up")
	})
}

// A payment of elsewhere is known only by the finalize that was lost here. Home asks how it ended.
func TestAFinalizeThatWasLostIsSettledOnHomeByThePaymentsStatus(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		other := c.Elsewhere()
		createLink(other, "Chairs", "once", "GBP", "120.00")
		payLink(other, "approve")
		other.Yes("Charge 120.00 GBP").Wait(time.Second)
		ref := reference(other)
		c.Send(nav.Push{To: nav.Payment{Reference: api.Reference(ref)}})
		c.Wait(time.Second).Sees("f finalize")
		c.Sandbox.Arm("POST", "lost-answer", 1)
		c.Press("f").Wait(time.Second).Yes("Finalize " + ref).Sees("It is not known whether it was finalized")
		again := c.Again()
		again.Sees("1 unresolved", "? UNRESOLVED", ref).Wait(2 * time.Minute)
		again.Sees("Nothing needs attention", "✓ SUCCESSFUL", ref).WaitsUntilGone("UNRESOLVED")
	})
}
