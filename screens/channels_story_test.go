package screens_test

import (
	"testing"
	"time"

	"paydesk/api/sandbox"
	"paydesk/screens/consoletest"
)

// byChannel requests a payment through a channel, up to the question.
func byChannel(c *consoletest.Console, amount, currency, channel string) {
	c.T.Helper()
	c.Sees("Menu").Press("c").Choose("Currency", currency).Fill("Amount", amount).Press("enter").Sees("These channels accept")
	c.Pick(channel).Press("enter")
	customer(c.Person)
}

func TestAPaymentFromAnAccountHasItsOwnSteps(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		byChannel(c, "12.50", "GBP", "Pay by account")
		c.WaitsUntilGone("Card number", "── 4 Card", "Transfer").Fill("Return URL", "https://shop.example/done").Press("ctrl+s")
		c.Sees("PayByAccount", "https://shop.example/done").Yes("Request 12.50 GBP by PayByAccount?")
		c.Sees("opens this URL and approves the payment", "● Bank").WaitsUntilGone("Card", "Transfer").Golden("channels/account")
		c.Sandbox.Approve(reference(c))
		c.Press("enter").Wait(time.Minute).Sees("SUCCESSFUL", "PayByAccount").WaitsUntilGone("Transfer")
	})
}

func TestARequestOfInteracGoesToTheAddressThatWasGiven(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		byChannel(c, "12.50", "CAD", "Interac")
		c.Fill("Interac e-mail", "till@shop.example").Press("ctrl+s").Sees("till@shop.example", "ada@example.org")
		c.Yes("Request 12.50 CAD by Interac?")
		c.Sees("Interac sends the customer a request by", "● Approval").WaitsUntilGone("Card", "Transfer").Golden("channels/interac")
		ref := reference(c)
		c.Press("s").Sees("The customer must approve the payment: press a.").Press("a").Sees("Approval").Press("esc")
		c.Sandbox.Approve(ref)
		c.Wait(time.Minute).Sees("SUCCESSFUL")
	})
}

// A payment that was made elsewhere is looked up, checked at its bank, and finalized once.
func TestAPaymentOfAnotherConsoleIsCheckedAndFinalized(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		createLink(c, "Chairs", "once", "GBP", "120.00")
		payLink(c, "challenge")
		c.Yes("Charge 120.00 GBP")
		ref := reference(c)
		other := c.Elsewhere()
		other.Press("l").Type(ref).Press("enter").Sees("INITIATED", "ask about its bank check: press a.")
		other.Press("a").Sees("made elsewhere", "Needed       yes", "o serves it once").Golden("channels/elsewhere")
		c.Sandbox.Approve(ref)
		other.Wait(time.Second).Press("enter").Sees("PENDING").Press("f").Yes("Finalize " + ref + "?").Sees("completed")
		other.Wait(time.Second).Press("enter").Wait(2 * time.Minute).Sees("SUCCESSFUL")
		other.Press("a").Sees("there is nothing to authenticate")
		if n := c.Wire.PostsTo("/pay/finalize"); n != 1 {
			t.Errorf("finalized %d times", n)
		}
	}, consoletest.WithSandbox(func(o *sandbox.Options) { o.Settle = time.Minute }))
}
