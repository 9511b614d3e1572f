package screens_test

import (
	"strings"
	"testing"
	"time"

	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/screens/consoletest"
)

// createLink creates a link and stands on its share card.
func createLink(c *consoletest.Console, name, use, currency, amount string) {
	c.T.Helper()
	c.Press("n").Fill("Name", name).Fill("Description", "six oak chairs").Choose("Can be paid", use).Choose("Currency", currency)
	c.Fill("Amount", amount).Press("ctrl+s")
	c.Sees("collect payment")
}

// payLink pays the link on the share card by card, up to what follows.
func payLink(c *consoletest.Console, card string) {
	c.T.Helper()
	c.Press("enter").Sees("The link fixes amount and currency").Press("enter")
	c.Sees("These channels accept").Press("enter")
	customer(c.Person)
	pick(c.Person, card)
	c.Fill("Return URL", "https://shop.example/done").Press("ctrl+s")
}

func TestALinkIsCreatedPaidFinalizedAndSettled(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		createLink(c, "Chairs", "once", "GBP", "120.00")
		c.Sees("http://127.0.0.1:8099/pay/", "120.00 GBP", "once", "New", "Test").Golden("link/share")
		c.Press("y").Sees("sent to your terminal's clipboard")
		if !strings.HasPrefix(c.Copied(), "http://127.0.0.1:8099/pay/") {
			t.Errorf("copied %q", c.Copied())
		}
		payLink(c, "challenge")
		c.Yes("Charge 120.00 GBP to •••• 1019?")
		ref := reference(c)
		c.Sandbox.Approve(ref)
		c.Press("enter").Sees("Finalize " + ref + "?").Golden("link/finalize")
		c.Yes("Finalize").Sees("completed", "00").WaitsUntilGone("SUCCESSFUL").Golden("link/finalized")
		c.Press("enter").Wait(30 * time.Second).Sees("SUCCESSFUL").Golden("link/settled")
		if n := c.Wire.PostsTo("/pay/finalize"); n != 1 {
			t.Errorf("finalized %d times", n)
		}
	})
}

// The service refuses the next payment. Who begins one reads it first, wherever they come from.
func TestWhoeverCollectsThroughAPaidOneTimeLinkIsWarned(t *testing.T) {
	const warning = "This one-time link was paid already."
	consoletest.Run(t, func(c *consoletest.Console) {
		createLink(c, "Chairs", "once", "GBP", "120.00")
		c.Sees("once").WaitsUntilGone("paid already")
		payLink(c, "approve")
		c.Yes("Charge 120.00 GBP").Wait(time.Second).Press("f").Yes("Finalize").Sees("completed").Press("enter").Wait(time.Minute).Sees("SUCCESSFUL").Press("esc", "esc")
		c.Sees("collect payment", "once; paid already").Press("enter").Sees(warning, "The link fixes amount")
		c.Press("esc", "esc", "4").Wait(time.Second).Sees("1/1", "can be paid once; paid already").Press("c").Sees(warning)
	})
	consoletest.Run(t, func(c *consoletest.Console) {
		createLink(c, "Chairs", "many times", "GBP", "120.00")
		payLink(c, "approve")
		c.Yes("Charge 120.00 GBP").Wait(time.Second).Press("f").Yes("Finalize").Sees("completed").Press("enter").Wait(time.Minute).Sees("SUCCESSFUL").Press("esc", "esc")
		c.Sees("collect payment", "many times").WaitsUntilGone("paid already").Press("enter").Sees("The link fixes amount").WaitsUntilGone(warning)
	})
}

func TestAOneTimeLinkIsUsedUpByItsPayment(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		createLink(c, "Chairs", "once", "GBP", "120.00")
		payLink(c, "approve")
		c.Yes("Charge 120.00 GBP")
		c.Sees("Finalize").Press("esc") // back to the link
		c.Sees("collect payment")
		payLink(c, "approve")
		c.Yes("Charge 120.00 GBP").Sees("Nothing was sent", "Send it anyway?").Golden("link/look-alike")
		like, _, err := c.Journal.Attempts(c.T.Context(), journal.Filter{Kind: ledger.Initiate}, 0, 1)
		if err != nil {
			c.T.Fatal(err)
		}
		c.Slowly(like[0].ID.Short()).Press("right").Wait(time.Second).Press("enter").Sees("one-time link that was used").Golden("link/used")
		if c.Sandbox.Accepted() != 1 {
			t.Errorf("the service took %d payments", c.Sandbox.Accepted())
		}
	})
}

// The request of a link whose customer chooses the amount carries a number all the same. No screen and no
// later run takes that for the amount.
func TestAnAmountThatTheCustomerChoosesIsShownAsThatEverywhere(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		numbers := []string{"0.00", "1.00 GBP"}
		c.Press("n").Fill("Name", "Gift").Fill("Description", "what you like").Choose("Amount is", "chosen by the customer").Choose("Currency", "GBP")
		c.Sees("The customer chooses the amount", "carries 1.00 GBP").Press("ctrl+s")
		c.Sees("collect payment", "chosen by the customer, in GBP").WaitsUntilGone(numbers...)
		c.Press("esc", "esc")
		for _, run := range []*consoletest.Console{c, c.Again()} {
			run.Press("4").Wait(time.Second).Sees("customer picks", "chosen by the customer, in GBP").WaitsUntilGone(numbers...)
			run.Press("/").Type("chosen by").Sees("customer picks").Press("esc", "esc").Press("3").Wait(time.Second)
			run.Sees("customer picks").WaitsUntilGone(numbers...)
			run.Press("enter").Wait(time.Second).Sees("chosen by the customer, in GBP").WaitsUntilGone(numbers...)
			run.Press("esc", "esc")
		}
	})
}
