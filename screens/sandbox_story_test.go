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

func TestATransferIsMadeToExpireFromItsAccount(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		transfer(c)
		ref := reference(c)
		c.Press("f3").Sees("Waiting to be paid", "0.00 of 1,500.00 NGN").Golden("sandbox/transfer")
		c.Press("P", "down", "enter").Sees("750.00 of 1,500.00 NGN", "PENDING")
		c.Press("X").Sees("The account expired; the payment is now FAILED.")
		c.Press("S").Sees("This payment is final.")
		c.Press("esc").Sees("Account", ref)
		c.Press("enter").Wait(time.Minute).Sees("FAILED").WaitsUntilGone("SUCCESSFUL")
	}, consoletest.WithSandbox(manual))
}

func TestATransferThatIsLeftAloneSaysWhatBecomesOfIt(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		transfer(c)
		c.Press("f3").Sees("It is paid by", "itself at 00:00:07.").Wait(time.Minute).Sees("paid in full")
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

func TestTheSandboxScreenShowsNoKeyAndNoCard(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		pay(c, "12.50", "GBP", "approve")
		c.Yes("Charge 12.50 GBP")
		for _, k := range []string{"f3", "F", "esc", "O", "esc", "W", "esc", "T", "esc", "?", "esc", "R", "esc"} {
			c.Press(k)
		}
		c.Sees("•••• 4242") // what was written is searched for keys and cards at the end
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
	for name, c := range map[string]struct {
		as    consoletest.Option
		is    bool
		asked int
	}{
		"a test profile of a service": {consoletest.As(func(p *keystore.Profile) { p.Name, p.Environment = "shop", keystore.Test }), false, 1},
		"a live profile":              {consoletest.Live(), true, 0},
	} {
		t.Run(name, func(t *testing.T) {
			asked := 0
			consoletest.Run(t, func(k *consoletest.Console) {
				k.Sees("Collect").WaitsUntilGone("sandbox serves").Press("f3").WaitsUntilGone("True state")
				if asked != c.asked {
					t.Errorf("asked %d times, want %d", asked, c.asked)
				}
			}, c.as, consoletest.Served(func(string) bool { asked++; return c.is }))
		})
	}
}

// What was decided in the sandbox is seen at once, however long the next check would take.
func TestComingBackFromTheSandboxAsksAtOnce(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		pay(c, "12.50", "GBP", "pending-long")
		c.Yes("Charge 12.50 GBP").Wait(5*time.Minute).Sees("PENDING", "Next check within 30 s")
		c.Press("f3").Sees("True state").Press("S")
		n := len(c.Wire.Gets())
		c.Press("esc").Sees("Payment", "Final; no more checks")
		if asked := len(c.Wire.Gets()) - n; asked != 1 {
			t.Errorf("%d questions were asked", asked)
		}
	}, consoletest.WithSandbox(manual))
}

func TestAPausedWatchStaysPausedWhileTheSandboxIsUsed(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		pay(c, "12.50", "GBP", "pending-long")
		c.Yes("Charge 12.50 GBP").Wait(5 * time.Minute).Press("space").Sees("Paused; space resumes")
		n := len(c.Wire.Gets())
		c.Press("f3", "S", "esc").Sees("Paused; space resumes", "PENDING")
		if asked := len(c.Wire.Gets()) - n; asked != 0 {
			t.Errorf("%d questions were asked", asked)
		}
	}, consoletest.WithSandbox(manual))
}

func TestNewsEndsWhenAnotherScreenIsOpened(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		pay(c, "12.50", "GBP", "pending-long")
		c.Yes("Charge 12.50 GBP").Press("b").Sees("The bell is off.")
		c.Press("f3").Sees("True state").Press("esc").Sees("Payment", "PENDING").WaitsUntilGone("The bell is off.")
		c.Press("y").Sees("The reference was sent").Press("f2").Sees("Requests").Press("esc").Sees("PENDING").WaitsUntilGone("was sent")
	})
}

func TestTheSandboxSaysThatAKeyDoesNothingAndCopiesAReference(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		pay(c, "12.50", "GBP", "challenge")
		ref := reference(c.Yes("Charge 12.50 GBP").Sees("Bank check"))
		c.Press("5").Sees("True state", ref)
		c.Press("u").Sees("u does nothing here. ? lists the keys.")
		c.Press("O").Sees("Switches").Press("u").Sees("u does nothing here.").Press("esc")
		c.Press("y").Sees("The reference was sent to your terminal's clipboard.")
		if c.Copied() != ref {
			t.Errorf("copied %q, not %q", c.Copied(), ref)
		}
	})
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
