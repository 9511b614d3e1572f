package screens_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"paydesk/screens/consoletest"
)

// listing rewrites as rewrite does, and makes the newest row of the list that of a payment: the service may use its
// references there.
func listing(ref string, rewrite consoletest.Rewrite) consoletest.Rewrite {
	id := regexp.MustCompile(`"id":"[^"]*"`)
	return func(path string, status int, body []byte) (int, []byte) {
		if at := id.FindIndex(body); strings.HasSuffix(path, "/v1/api/transactions") && at != nil {
			body = slices.Concat(body[:at[0]], []byte(`"id":"`+ref+`"`), body[at[1]:])
		}
		if rewrite == nil {
			return status, body
		}
		return rewrite(path, status, body)
	}
}

// A payment that another computer made succeeds with less than it is for. Every list says so where a look-up has
// shown it, after a restart too.
func TestAShortSuccessOfAnotherConsoleIsMarkedWhereverItIsListed(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		other := c.Elsewhere()
		pay(other, "12.50", "GBP", "approve")
		other.Yes("Charge 12.50 GBP").Wait(time.Minute).Sees("✓ SUCCESSFUL")
		ref := reference(other)

		c.Wire.Rewrite(listing(ref, replacing("", `"amount":\{[^}]*\}`, `"amountPaid":5.00,"amount":{"currencyCode":"GBP","amount":12.5}`)))
		c.Press("2").Wait(time.Second).Sees("✓ SUCCESSFUL", ref).Press("enter").Sees("✓ SUCCESSFUL")
		c.Press("l", "enter").Wait(time.Second).Sees("≠ MISMATCH", "received", "Provide nothing").WaitsUntilGone("✓ S", "Funds have been secured")
		c.Press("esc").Wait(time.Second).Sees("Transaction", "≠ MISMATCH", "l shows how").WaitsUntilGone("✓ SUCCESSFUL")
		c.Press("esc").Sees("Transactions", "≠ MISMATCH")
		c.Press("esc").Wait(time.Second).Sees("Nothing needs attention", "≠ MISMATCH", "looked up", ref).WaitsUntilGone("✓")

		again := c.Again()
		again.Wait(time.Second).Sees("≠ MISMATCH", "looked up", ref).WaitsUntilGone("✓", "Needs you", "Under way")
		again.Press("2").Wait(time.Second).Sees("≠ MISMATCH", ref)

		c.Wire.Rewrite(listing(ref, nil)) // the service takes it back: what it said stays said
		again.Press("esc", "enter").Wait(time.Second).Sees("≠ MISMATCH", "an earlier answer differed").WaitsUntilGone("✓ S", "Provide the goods")
	})
}

// A customer who says that they paid may have paid in part. Whoever finalizes sees what has arrived.
func TestWhatALinksTransferBroughtIsShownBeforeItIsFinalized(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		must(t, c.Sandbox.SetSwitch("transaction.extras", "on"))
		createLink(c, "Chairs", "once", "NGN", "1500")
		c.Wait(time.Second).Press("enter").Sees("fixes amount").Press("enter").Sees("PayByTransfer").Press("down", "enter")
		customer(c.Person)
		c.Press("ctrl+s").Yes("1,500.00 NGN").Sees("customer paid")
		ref := reference(c)
		must(t, c.Sandbox.Pay(ref, "1000"))
		c.Press("d").Wait(time.Second).Sees("Received     1,000.00 of 1,500.00 NGN", "must be finalized: press f")
		c.Press("f").Sees("Finalize "+ref+"?", "Received 1,000.00 of 1,500.00 NGN (checked 00:").Golden("finalize/received").Press("esc")
		c.Press("a").Sees("Received     1,000.00 of 1,500.00 NGN")
	}, consoletest.WithSandbox(manual))
}
