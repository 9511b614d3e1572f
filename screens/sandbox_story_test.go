package screens_test

import (
	"testing"
	"time"

	"paydesk/keystore"
	"paydesk/screens/consoletest"
)

func TestAChallengeIsApprovedOnTheSandboxScreenAndTurnsOnThePaymentScreen(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		pay(c, "12.50", "GBP", "challenge")
		c.Yes("Charge 12.50 GBP to •••• 1019?")
		ref := reference(c)
		c.Press("enter").Sees(ref, "INITIATED")
		c.Press("f3").Sees("True state", "▲ INITIATED", ref, "A approve").Golden("sandbox/challenge")
		c.Press("f3").Sees("True state") // it is there already
		c.Press("A").Sees("The customer approved; the payment is now PENDING.")
		c.Press("esc").Sees("Payment", ref).Wait(30*time.Second).Sees("✓ SUCCESSFUL", "Provide the goods or service")
		c.Press("f3").Sees("paid in full").Golden("sandbox/settled")
		c.Press("esc").Sees("Provide the goods or service")
	})
}

func TestTheSandboxIsReachedWhileAPaymentIsBeingSent(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		pay(c, "12.50", "GBP", "approve")
		c.Wire.Slow(20 * time.Second)
		c.Yes("Charge 12.50 GBP to •••• 4242?")
		c.Press("f3").Sees("True state", "•••• 4242")
		c.Wait(25 * time.Second).Sees("True state") // the answer came, and took nobody away from here
		c.Wire.Slow(0)
		c.Press("esc").Sees("Payment", "•••• 4242").Wait(time.Minute).Sees("✓ SUCCESSFUL")
		c.Press("esc").Sees("Menu")
		if n := c.Wire.PostsTo("/pay/initiate"); n != 1 {
			t.Errorf("%d were sent", n)
		}
	})
}

// A tester who opens a test profile whose address is a paydesk sandbox gets its cards and its screen.
func TestATestProfileWhoseAddressIsASandboxGetsItsCardsAndItsScreen(t *testing.T) {
	var asked []string
	served := consoletest.Served(func(address string) bool { asked = append(asked, address); return true })
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Sees("TEST", "5  Sandbox", "decide how payments end")
		pay(c, "12.50", "GBP", "challenge") // by a test card of the list
		c.Yes("Charge 12.50 GBP to •••• 1019?")
		ref := reference(c)
		c.Press("enter").Sees(ref, "INITIATED").Press("f3").Sees("True state", ref)
		c.Press("A").Sees("The customer approved; the payment is now PENDING.")
		c.Press("esc").Sees("Payment", ref).Wait(30 * time.Second).Sees("✓ SUCCESSFUL")
		if len(asked) != 1 {
			t.Errorf("asked %q", asked)
		}
	}, consoletest.As(func(p *keystore.Profile) { p.Name, p.Environment = "shop", keystore.Test }), served)
}

// No other profile gets them, and a live one does not even ask.
func TestNoOtherProfileGetsASandbox(t *testing.T) {
	for asks, as := range []consoletest.Option{
		consoletest.Live(),
		consoletest.As(func(p *keystore.Profile) { p.Name, p.Environment = "shop", keystore.Test }), // of a service
	} {
		asked := 0
		consoletest.Run(t, func(c *consoletest.Console) {
			c.Sees("Collect").WaitsUntilGone("sandbox serves").Press("f3").WaitsUntilGone("True state")
			if asked != asks {
				t.Errorf("asked %d times, want %d", asked, asks)
			}
		}, as, consoletest.Served(func(string) bool { asked++; return asks == 0 }))
	}
}

// What was decided in the sandbox is seen at once, however long the next check would take.
func TestComingBackFromTheSandboxAsksAtOnce(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		pay(c, "12.50", "GBP", "pending-long")
		c.Yes("Charge 12.50 GBP").Wait(5*time.Minute).Sees("PENDING", "Next check within 30 s").Press("space").Sees("Paused; space resumes")
		n := len(c.Wire.Gets())
		if c.Press("f3").Sees("True state").Press("esc").Sees("Paused; space resumes"); len(c.Wire.Gets()) != n {
			t.Error("a watch that was paused asks")
		}
		c.Press("space").Wait(time.Second).Press("f3", "S")
		n = len(c.Wire.Gets())
		c.Press("esc").Sees("Payment", "Final; no more checks")
		if asked := len(c.Wire.Gets()) - n; asked != 1 {
			t.Errorf("%d questions were asked", asked)
		}
	}, consoletest.WithSandbox(manual))
}

// The clock takes every payment with it, and cannot be moved back.
func TestTheClockAsksBeforeItChangesSeveralPayments(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		strangers(c, 2)
		c.Press("5").Sees("True state").Press("T", "enter").Sees("Move the clock on by 1 min?", "2 payments are not final").Golden("sandbox/clock")
		if c.Wait(time.Second).Press("enter").Wait(time.Second).Sees("Move the clock on by"); c.Sandbox.Ahead() != 0 {
			t.Error("the clock moved without a yes")
		}
		if c.Press("enter").Yes("Move the clock on by 1 min?").Sees("The clock is now 1 min ahead."); c.Sandbox.Ahead() != time.Minute {
			t.Errorf("the clock is %s ahead", c.Sandbox.Ahead())
		}
	})
}

func TestATransferThatIsLeftAloneSaysWhatBecomesOfIt(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		transfer(c)
		c.Press("f3").Sees("It is paid by", "itself at 00:00:07.").Wait(time.Minute).Sees("paid in full")
	})
}
