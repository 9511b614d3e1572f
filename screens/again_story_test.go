package screens_test

import (
	"testing"
	"time"

	"paydesk/keystore"
	"paydesk/screens/consoletest"
)

// declined makes a payment that fails, and stands on its status.
func declined(c *consoletest.Console) {
	c.T.Helper()
	pay(c, "40.00", "GBP", "decline")
	c.Yes("Charge 40.00 GBP to •••• 0002?")
	c.Wait(time.Minute).Sees("FAILED", "Collect it with another card or channel: press c.")
}

// collectedAgain is what stands on the screen where a declined payment of a known customer is collected
// again: at its channel, with nothing of its card.
func collectedAgain(c *consoletest.Console, channel string) {
	c.T.Helper()
	c.Sees("These channels accept 40.00 GBP").Pick(channel).Press("enter")
	c.Sees("Ada", "Obi", "ada@example.org", "+44 20 7946 0000").Press("ctrl+s")
	c.WaitsUntilGone("0002")
}

// The customer is known while the console runs. The journal, which is all there is after a restart, has none, and of a
// payment that was made elsewhere there is only its amount.
func TestADeclinedPaymentIsCollectedByAnotherCard(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		declined(c)
		again, other := c.Again(), c.Elsewhere()
		again.Press("3").Sees("FAILED").Press("c")
		again.Sees("Filled in from the earlier payment: amount.", "These channels accept 40.00 GBP").Press("enter").WaitsUntilGone("Ada", "ada@example.org").Golden("again/restart")
		other.Press("l").Type(string(attempts(c)[0].Reference)).Press("enter").Sees("FAILED", "press c").Press("c")
		other.Sees("Filled in from the earlier payment: amount.", "These channels accept 40.00 GBP").Press("enter").WaitsUntilGone("Ada")

		c.Press("c").Sees("Filled in from the earlier payment: amount, customer.").Golden("again/channels")
		collectedAgain(c, "Card")
		c.Sees("Card number", "https://shop.example/done").WaitsUntilGone("••••").Golden("again/card")
		pick(c.Person, "approve")
		c.Press("ctrl+s").Yes("Charge 40.00 GBP to •••• 4242?").WaitsUntilGone("duplicate").Wait(time.Minute).Sees("SUCCESSFUL", "40.00 GBP")
		c.Press("c").Sees("Only a payment that failed can be collected again.")
		if n := c.Wire.PostsTo("/pay/initiate"); n != 2 {
			t.Errorf("sent %d times", n)
		}
	})
}

func TestACustomerIsFilledInOnlyWhereNoRealMoneyMoves(t *testing.T) {
	toCustomer := func(c *consoletest.Console) {
		c.Sees("Menu").Press("c").Choose("Currency", "NGN").Fill("Amount", "1,500").Press("enter").Sees("PayByTransfer").Press("down", "enter").Sees("First name")
	}
	consoletest.Run(t, func(c *consoletest.Console) {
		toCustomer(c)
		c.Type("Typed").Press("ctrl+t").Sees("test.customer@example.com", "All four fields now have the test customer.").WaitsUntilGone("Typed").Golden("again/customer")
		c.Press("esc", "esc", "ctrl+x", "esc")
		pay(c, "12.50", "GBP", "approve")
		c.Yes("Charge 12.50 GBP").Wait(time.Minute).Press("esc")
		toCustomer(c)
		c.Press("ctrl+t").Sees("ada@example.org", "+44 20 7946 0000", "the customer of the last payment").Press("ctrl+t").Sees("test.customer@example.com").WaitsUntilGone("Ada")
		c.Press("ctrl+s", "ctrl+s").Yes("1,500.00 NGN").Sees("Account")
	}, consoletest.WithSandbox(manual))
	consoletest.Run(t, func(c *consoletest.Console) {
		unlocked(c)
		toCustomer(c)
		c.WaitsUntilGone("fill in").Press("ctrl+t").WaitsUntilGone("test.customer")
	}, consoletest.Live(), consoletest.As(func(p *keystore.Profile) { p.AllowCardEntry = true }))
}
