package screens_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"paydesk/screens/consoletest"
)

func TestHomeIsTheDeskOfAPersonAtWork(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		for _, p := range [][2]string{{"12.50", "approve"}, {"75.25", "decline"}, {"310", "pending-long"}, {"18.99", "challenge"}} {
			pay(c, p[0], "GBP", p[1])
			c.Yes("Charge " + p[0]).Wait(40 * time.Second)
			for !c.Has("Menu") {
				c.Press("esc").Wait(time.Second)
			}
		}
		pay(c, "40", "GBP", "approve")
		c.Sandbox.Arm("POST", "lost-answer", 1)
		c.Yes("Charge 40.00 GBP").Wait(time.Second)
		for !c.Has("Menu") {
			c.Press("esc").Wait(time.Second)
		}
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

func TestAPaymentIsPinnedOnHomeAndStaysThere(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		pay(c, "12.50", "GBP", "pending-long")
		c.Yes("Charge 12.50 GBP").Wait(10 * time.Second).Sees("PENDING")
		ref := reference(c)
		again := c.Again()
		again.Wait(time.Second).Sees("Under way", ref).Press("p").Wait(time.Second).Sees("pinned to Home", "Under way")
		third := c.Again()
		third.Wait(time.Second).Sees("Pinned", "◌ PENDING", ref)
		c.Sandbox.Settle(ref)
		third.Wait(time.Minute).Sees("Pinned", "✓ SUCCESSFUL", ref).Press("p").Wait(time.Second).Sees("unpinned.")
		third.Press("2").Wait(time.Second).Press("1").Wait(10*time.Second).Sees("Settled today", ref).WaitsUntilGone("Pinned")
	})
}

// What is open grows older while nobody presses a key, also where no answer comes.
func TestWhatIsOpenGrowsOlder(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		pay(c, "40", "GBP", "approve")
		c.Sandbox.Arm("POST", "lost-answer", 1)
		c.Yes("Charge 40.00 GBP").Wait(time.Second)
		for !c.Has("Menu") {
			c.Press("esc").Wait(time.Second)
		}
		if line := c.Line("UNRESOLVED"); !strings.Contains(line, "< 1 min") {
			t.Error(line)
		}
		c.Wait(5 * time.Minute)
		if line := c.Line("UNRESOLVED"); !strings.Contains(line, "5 min") {
			t.Error(line)
		}
	})
}

// Moving the mark writes the mark, and what is said of the payment follows it.
func TestThePaneOfHomeFollowsTheMark(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		for _, amount := range []string{"12.50", "7"} {
			pay(c, amount, "GBP", "approve")
			c.Yes("Charge " + amount).Wait(time.Minute).Press("esc").Wait(time.Second)
		}
		c.Press("home").Wait(time.Second).Sees("Settled today", "History")
		for _, to := range []struct {
			key  string
			most int
		}{{"down", 600}, {"down", 600}, {"down", 600}, {"up", 600}, {"up", 1_500}, {"up", 600}, {"tab", 600}} {
			within(t, "bytes of "+to.key, costs(c, func() { c.Press(to.key) }).bytes, 24)
			within(t, "bytes of the pane after "+to.key, costs(c, func() { c.Wait(time.Second) }).bytes, to.most) // most where a payment is said again
		}
	}, consoletest.Size(120, 40))
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

		again := declined(c, "7.40")
		c.Press("s").Press("home").Press("enter").Sees("Payment " + again).Press("esc")
		third := declined(c, "7.50")
		pay(c, "7.50", "GBP", "approve")
		c.Yes("Charge 7.50").Wait(time.Minute).Sees("SUCCESSFUL").Press("esc").Wait(time.Second).WaitsUntilGone("Needs you").Sees(third, "Settled today")
	}, consoletest.Size(120, 40))
}

// What is listed comes in parts: the mark stays on the first of it until a person moves it.
func TestAfterAStartTheMarkIsOnTheFirstPayment(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		refs := strangers(c, 6)
		c.Press("l").Paste(strings.Join(refs, "\n")).Press("enter").Sees("6 payments pinned").Wait(20 * time.Second)
		pay(c, "12.50", "GBP", "approve")
		c.Yes("Charge 12.50").Wait(20 * time.Second).Press("esc").Wait(time.Second)
		c.Leave()
		again := c.Again().Wait(20 * time.Second)
		if line := markedLine(again); line != 3 {
			t.Errorf("the mark is on line %d:\n%s", line, again.Screen())
		}
	})
}

// In a low window the mark goes to what needs somebody now: it stayed on the settled payment, and the list on that.
func TestWhatNeedsSomebodyNowIsSeenOnHomeInALowWindow(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		home := func() {
			for !c.Has("Menu") {
				c.Press("esc").Wait(time.Second)
			}
		}
		pay(c, "12", "GBP", "approve")
		c.Yes("Charge 12.00").Wait(time.Minute)
		home()
		c.Press("down", "up")
		pay(c, "40", "GBP", "approve")
		c.Sandbox.Arm("POST", "lost-answer", 1)
		c.Yes("Charge 40.00 GBP").Wait(time.Second)
		home()
		c.Sees("▌ ? UNRESOLVED")
	}, consoletest.Size(60, 18), consoletest.Tour())
}
