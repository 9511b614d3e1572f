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
	c.WaitsUntilGone("Card number", "CVV").Press("ctrl+s")
	c.Sees("1,500.00 NGN, sent as 1500").Yes("1,500.00 NGN")
	c.Sees("Account", "in ")
}

func manual(o *sandbox.Options) { o.ManualTransfers = true }

// asleep is most of the half hour of an account.
const asleep = 29 * time.Minute

// expires lets an account expire: most of its time passes while the machine sleeps, which draws no second of it.
func expires(c *consoletest.Console) *consoletest.Console {
	c.T.Helper()
	c.Sandbox.Forward(asleep)
	return c.Sleep(asleep).Wait(2 * time.Minute)
}

func TestATransferIsPaidAndSettles(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		transfer(c)
		c.Golden("transfer/account")
		ref := reference(c)
		c.Press("y").Sees("sent to your terminal's clipboard")
		if len(c.Copied()) != 10 {
			t.Errorf("copied %q", c.Copied())
		}
		before := c.Line("in ")
		if c.Wait(5 * time.Second); c.Line("in ") == before {
			t.Error("the countdown stands still")
		}
		c.Press("enter").Wait(1500*time.Millisecond).Sees("◌ PENDING", "may not have paid yet", "in 29:").WaitsUntilGone("authorised", "✓ Transfer", "f finalize").Golden("transfer/waiting")
		if !c.Sandbox.Settle(ref) {
			t.Fatal("the transfer could not be settled")
		}
		c.Wait(time.Minute).Sees("SUCCESSFUL", "1,500.00 NGN").Golden("transfer/settled")
	}, consoletest.WithSandbox(manual))
}

func TestATransferThatExpiresSaysSoAndIsStillAsked(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		transfer(c)
		expires(c).Sees("expired", "collect again for a new account").WaitsUntilGone("FAILED", "copy account").Golden("transfer/expired")
		if c.Press("y").Sees("The account has expired"); c.Copied() != "" {
			t.Errorf("copied %q", c.Copied())
		}
		c.Press("enter").Wait(time.Minute).Sees("FAILED", "The full amount was not confirmed", "no longer to be paid into")
		c.WaitsUntilGone("SUCCESSFUL", "charge was rejected", "account to pay into")
	}, consoletest.WithSandbox(manual))
}

// No screen offers the account of a transfer that expired, in the same run or the next, though the
// service still says that the customer must pay.
func TestAnAccountThatExpiredIsOfferedNowhere(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Wire.Rewrite(replacing("", `"(PENDING|FAILED)"`, `"REQUIRE_USER_OFFLINE_ACTION"`))
		transfer(c)
		c.Press("enter").Wait(time.Second).Sees("▲ CUSTOMER MUST PAY", "a account to pay into").Press("f").Sees("The customer must make the transfer first")
		expires(c).Sees("▲ ACCOUNT EXPIRED", ", expired at", "Do not use this account now").WaitsUntilGone("account to pay into", "press a for the account")
		for _, run := range []*consoletest.Console{c, c.Again().Sleep(asleep)} {
			for range 3 {
				run.Press("esc")
			}
			run.Wait(time.Second).Sees("▲ ACCOUNT EXPIRED").WaitsUntilGone("MUST PAY")
			run.Press("enter").Wait(time.Second).Sees(", expired at", "not use this account now").WaitsUntilGone("copy account", "account to pay into")
			run.Press("esc").Press("3").Wait(time.Second).Sees("▲ ACCOUNT EXPIRED").WaitsUntilGone("MUST PAY")
			run.Press("enter").Wait(time.Second).Sees("▲ ACCOUNT EXPIRED", "Pay into", ", expired at", "not use this account now")
		}
	}, consoletest.WithSandbox(manual))
}
