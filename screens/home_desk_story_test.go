package screens_test

import (
	"fmt"
	"testing"
	"time"

	"paydesk/screens/consoletest"
)

func TestHomeIsTheDeskOfAPersonAtWork(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		for _, p := range [][2]string{{"12.50", "approve"}, {"75.25", "decline"}, {"310", "pending-long"}, {"18.99", "challenge"}} {
			pay(c, p[0], "GBP", p[1])
			c.Yes("Charge " + p[0]).Wait(40 * time.Second)
			toMenu(c)
		}
		pay(c, "40", "GBP", "approve")
		c.Sandbox.Arm("POST", "lost-answer", 1)
		c.Yes("Charge 40.00 GBP").Wait(time.Second)
		toMenu(c)
		for _, size := range [][2]int{{80, 24}, {60, 18}, {120, 40}, {160, 50}} {
			c.Resize(size[0], size[1]).Press("home").Wait(time.Second)
			c.Sees("1 unresolved · 1 failed · 2 in progress", "? UNRESOLVED", "▲ INITIATED", "Under way", "◌ PENDING", "Settled today")
			if size[0] >= 80 {
				c.Sees("✓ SUCCESSFUL", "✗ FAILED", "Made from here today", "GBP  5 made", "✓ 1  ✗ 1  ◌ 2  ? 1", "12.50 secured")
				c.Sees("not known whether this payment")
			}
			c.Golden(fmt.Sprintf("home/desk-%dx%d", size[0], size[1]))
		}
	})
}

func TestTheMarkGoesFromThePaymentsOnToTheMenu(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Wait(time.Second).Sees("▌ c  Collect a payment").Press("down").Sees("▌ n  Create").Press("enter").Sees("New link").Press("esc")
		c.Sees("▌ n  Create").Press("up", "up")
		pay(c, "12.50", "GBP", "pending-long")
		c.Yes("Charge 12.50 GBP").Wait(10 * time.Second).Sees("PENDING")
		ref := reference(c)
		c.Press("esc").Wait(time.Second).Press("tab").Sees("▌ ◌ PENDING").Wait(time.Second).Sees("── Payment " + ref)
		c.Press("down").Sees("▌ c  Collect", "── Payment "+ref).Wait(time.Second).WaitsUntilGone("── Payment " + ref).Sees("── Collect a payment")
		c.Press("up").Sees("▌ ◌ PENDING").Press("tab").Sees("▌ c  Collect").Press("end").Sees("▌ 5  Sandbox").Press("enter").Sees("True state")
	})
}

// A payment that failed needs somebody until it was opened, taken off the list, or collected again.
func TestAPaymentThatFailedNeedsSomebodyUntilThatIsDealtWith(t *testing.T) {
	declined := func(c *consoletest.Console, amount string) string {
		pay(c, amount, "GBP", "decline")
		c.Yes("Charge " + amount).Wait(40 * time.Second).Sees("FAILED")
		ref := reference(c)
		c.Press("esc").Wait(time.Second).Sees("Needs you", ref)
		return ref
	}
	consoletest.Run(t, func(c *consoletest.Console) {
		ref := declined(c, "7.10")
		c.Sees("1 failed").Press("tab", "home", "enter").Sees("Payment "+ref, "FAILED").Press("esc").Wait(time.Second)
		c.Sees("Settled today", ref, "Nothing needs attention").WaitsUntilGone("Needs you", "1 failed")

		pay(c, "310", "GBP", "pending-long")
		c.Yes("Charge 310").Wait(10 * time.Second).Press("esc")
		first, second := declined(c, "7.20"), declined(c, "7.30")
		c.Sees("2 failed · 1 in progress").Press("home").Wait(time.Second).Sees("x take off the list").Press("x").Wait(time.Second)
		c.Sees("1 failed · 1 in progress", "Settled today", second).Press("x").Wait(time.Second).Sees("1 in progress", first).WaitsUntilGone("failed ·")
		c.Again().Wait(time.Second).Sees("3 failed", "Needs you") // for this run

		third := declined(c, "7.50")
		pay(c, "7.50", "GBP", "approve")
		c.Yes("Charge 7.50").Wait(time.Minute).Sees("SUCCESSFUL").Press("esc").Wait(time.Second).WaitsUntilGone("Needs you").Sees(third, "Settled today")
	}, consoletest.Size(120, 40))
}

// In a low window the mark goes to what needs somebody now: it stayed on the settled payment, and the list on that.
func TestWhatNeedsSomebodyNowIsSeenOnHomeInALowWindow(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		pay(c, "12", "GBP", "approve")
		c.Yes("Charge 12.00").Wait(time.Minute)
		toMenu(c)
		c.Press("down", "up")
		pay(c, "40", "GBP", "approve")
		c.Sandbox.Arm("POST", "lost-answer", 1)
		c.Yes("Charge 40.00 GBP").Wait(time.Second)
		toMenu(c)
		c.Sees("▌ ? UNRESOLVED")
	}, consoletest.Size(60, 18), consoletest.Tour())
}
