package screens_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"paydesk/screens/consoletest"
)

func TestEverythingThatWasAnsweredAboutAPaymentCanBeRead(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		pay(c, "12.50", "GBP", "challenge")
		c.Yes("Charge 12.50 GBP").Sees("“The customer's bank asks the customer to approve.”")
		ref := reference(c)
		c.Press("a").Sees("AUTHENTICATION_REQUIRED · code 00")
		c.Press("v").Sees("Payment "+ref, "2 answers, newest first", "Authentication check · received", "HTTP 200", "hidden: markup of").Golden("raw/payment")
		for name, size := range map[string][2]int{"wide": {120, 40}, "large": {160, 50}} {
			c.Resize(size[0], size[1]).Wait(0)
			c.Sees("2 answers").Golden("raw/payment-" + name)
		}
		c.Resize(80, 24).Wait(0)
		c.Press("end").Sees(`"paymentReference": "` + ref + `"`).Press("home")
		c.Press("/").Type("fees").Press("enter").Sees("Initiation · received", `"fees": 0.19`).WaitsUntilGone("AUTHENTICATION_REQUIRED")
		c.Press("esc").Sees("AUTHENTICATION_REQUIRED").Press("y").Sees("The raw text was sent to your terminal's clipboard")
		for _, s := range []string{"Payment " + ref, "Initiation · received", `    "message": "The customer's bank asks the customer to approve.",`} {
			if !strings.Contains(c.Copied(), s) {
				t.Errorf("%q was not copied:\n%s", s, c.Copied())
			}
		}
		c.Sandbox.Approve(ref)
		c.Press("r").Sees("3 answers", "Status check · received", `"paymentStatus": "PENDING"`)
		c.Press("esc", "s").Sees("Status").Press("v").Sees("Raw answers", "Payment "+ref)
	})
}

func TestWithoutAnAnswerTheRawViewSaysWhoAsksAgain(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		pay(c, "12.50", "GBP", "approve")
		c.Yes("Charge 12.50 GBP").Wait(time.Minute).Sees("SUCCESSFUL")
		ref := reference(c)
		c.Press("esc")
		createLink(c, "Chairs", "once", "GBP", "120.00")
		again := c.Again()
		again.Press("3").Sees("Activity").Press("down", "enter").Sees(ref).Press("v")
		again.Sees("Payment "+ref, "No answer is kept", "until paydesk ends", "Press r to ask for the status").Golden("raw/nothing")
		again.Press("r").Sees("1 answer", "Status check", "Successfull")
		again.Press("esc", "esc", "up", "enter").Sees("Name").Press("v").Sees("Link ", "no request that reads a link again").WaitsUntilGone("ask for the status")
	})
}

func TestTheWordsOfTheServiceStandBesideTheOutcome(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		createLink(c, "Chairs", "once", "GBP", "120.00")
		payLink(c, "challenge")
		c.Yes("Charge 120.00 GBP").Sees("“The customer's bank asks the customer to approve.”")
		c.Sandbox.Approve(reference(c))
		c.Press("enter").Yes("Finalize").Press("v").Sees("Finalize · received", "2 answers")
		c.Press("esc").Wait(time.Second).Press("enter").Sees("“The customer's part is complete.” (finalize)")
		c.Wait(time.Minute).Sees("SUCCESSFUL").WaitsUntilGone("(finalize)")
	})
}

func TestFeesThatAreAddedAreInTheTotalThatTheCustomerPays(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		must(t, c.Sandbox.SetSwitch("initiate.extras", "on"))
		transfer(c)
		c.Sees("1,500.00 NGN + 22.50 NGN fees = 1,522.50 NGN", "pays exactly 1,522.50 NGN").Golden("raw/fees")
		ref := reference(c)
		c.Press("enter").Sees("1,500.00 NGN + 22.50 NGN fees = 1,522.50 NGN")
		again := c.Again()
		again.Press("3", "enter").Sees(ref, "1,500.00 NGN + 22.50 NGN fees = 1,522.50 NGN")
	}, consoletest.WithSandbox(manual))
}

func TestFeesAreShownAndNoTotalIsPromisedWhereNobodySaysWhoPaysThem(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Press("c").Choose("Currency", "NGN").Fill("Amount", "1,500").Press("enter").Sees("PayByTransfer").Press("down", "enter")
		customer(c.Person)
		c.Press("ctrl+s").Sees("1,500.00 NGN, sent as 1500; fees may be added").Yes("1,500.00 NGN")
		c.Sees("Mode", "banktransfer", "Fees", "22.50 NGN; the service does not say who pays", "Ask the provider", "whether the fees are added").WaitsUntilGone("exactly")
		c.Press("enter").Sees("Fees", "22.50 NGN; the service does not say who pays")
	}, consoletest.WithSandbox(manual))
}

// A long answer is kept and copied up to a limit each, which is said.
func TestALongAnswerSaysWhereItIsCut(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		pay(c, "12.50", "GBP", "pending-long")
		c.Yes("Charge 12.50 GBP").Wait(10 * time.Second).Sees("PENDING")
		var parts strings.Builder
		for i := range 900 {
			fmt.Fprintf(&parts, `"part%d":"%s",`, i, strings.Repeat("x", 200))
		}
		c.Wire.Rewrite(replacing("", `^\{`, "{"+parts.String()))
		c.Press("r").Wait(time.Second).Press("v").Sees("Status check · received", "bytes in all").Press("y").Sees("beginning of the raw text")
		if got := c.Copied(); len(got) > 48<<10+20 || !strings.HasSuffix(got, "\n… cut here") {
			t.Errorf("%d bytes, ending %q", len(got), got[len(got)-30:])
		}
	})
}
