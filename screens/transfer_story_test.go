package screens_test

import (
	"testing"
	"time"

	"paydesk/api/sandbox"
	"paydesk/screens/consoletest"
)

// transfer asks for a transfer and stands on its account.
func transfer(c *consoletest.Console) {
	c.T.Helper()
	c.Press("c").Choose("Currency", "NGN").Fill("Amount", "1,500").Press("enter")
	c.Sees("PayByTransfer").Press("down", "enter")
	customer(c.Person)
	c.SeesNot("Card number", "CVV").Press("ctrl+s")
	c.Sees("1,500.00 NGN, sent as 1500").Yes("1,500.00 NGN")
	c.Sees("Account", "in ")
}

func manual(o *sandbox.Options) { o.ManualTransfers = true }

func TestATransferIsPaidAndSettles(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		transfer(c)
		c.Golden("transfer/account")
		ref := reference(c)
		c.Press("c").Sees("sent to your terminal's clipboard")
		if len(c.Copied()) != 10 {
			t.Errorf("copied %q", c.Copied())
		}
		before := c.Line("in ")
		if c.Wait(5 * time.Second); c.Line("in ") == before {
			t.Error("the countdown stands still")
		}
		c.Press("enter").Sees("CUSTOMER MUST PAY").Golden("transfer/waiting")
		if !c.Sandbox.Settle(ref) {
			t.Fatal("the transfer could not be settled")
		}
		c.Wait(time.Minute).Sees("SUCCESSFUL", "1,500.00 NGN").Golden("transfer/settled")
	}, consoletest.WithSandbox(manual))
}

func TestATransferThatExpiresSaysSoAndIsStillAsked(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		transfer(c)
		c.Wait(31 * time.Minute).Sees("expired").SeesNot("FAILED").Golden("transfer/expired")
		c.Press("enter").Wait(time.Minute).Sees("FAILED").SeesNot("SUCCESSFUL")
	}, consoletest.WithSandbox(manual))
}
