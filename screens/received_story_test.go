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
	for name, brought := range map[string]string{
		"less":                `"amountPaid":5.00,"amount":{"currencyCode":"GBP","amount":12.5}`,
		"an unreadable total": `"amountPaid":{"currencyCode":"GBP","amount":5.00},"amount":{"currencyCode":"GBP","amount":"12,5O"}`,
	} {
		t.Run(name, func(t *testing.T) {
			consoletest.Run(t, func(c *consoletest.Console) {
				other := c.Elsewhere()
				pay(other, "12.50", "GBP", "approve")
				other.Yes("Charge 12.50 GBP").Wait(time.Minute).Sees("✓ SUCCESSFUL")
				ref := reference(other)

				c.Wire.Rewrite(listing(ref, replacing("", `"amount":\{[^}]*\}`, brought)))
				c.Press("t").Wait(time.Second).Sees("✓ SUCCESSFUL", ref).Press("enter").Sees("✓ SUCCESSFUL")
				c.Press("l").Wait(time.Second).Sees("≠ MISMATCH", "received", "Provide nothing").SeesNot("✓ S", "Funds have been secured")
				c.Press("esc").Wait(time.Second).Sees("Transaction", "≠ MISMATCH", "l shows how").SeesNot("✓ SUCCESSFUL")
				c.Press("esc").Sees("Transactions", "≠ MISMATCH")
				c.Press("esc").Wait(time.Second).Sees("Nothing needs attention", "≠ MISMATCH", "looked up", ref).SeesNot("✓")

				again := c.Again()
				again.Wait(time.Second).Sees("≠ MISMATCH", "looked up", ref).SeesNot("✓", "Needs attention")
				again.Press("t").Wait(time.Second).Sees("≠ MISMATCH", ref)

				c.Wire.Rewrite(listing(ref, nil)) // the service takes it back: what it said stays said
				again.Press("esc", "enter").Wait(time.Second).Sees("≠ MISMATCH", "an earlier answer differed").SeesNot("✓ S", "Provide the goods")
			})
		})
	}
}

// The list of the service shows a mismatch of our own as a success no more than any other screen.
func TestAMismatchOfOursIsNoSuccessInTheTransactions(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Wire.Rewrite(replacing("", `"amount":12\.50`, `"amount":1250.00`))
		pay(c, "12.50", "GBP", "approve")
		c.Yes("Charge 12.50 GBP").Wait(time.Minute).Sees("≠ MISMATCH")
		ref := reference(c)
		c.Wire.Rewrite(listing(ref, nil))
		c.Press("esc").Press("t").Wait(time.Second).Sees(ref)
		if line := c.Line(ref); !strings.Contains(line, "≠ MISMATCH") {
			t.Errorf("%q", line)
		}
		again := c.Again()
		again.Press("t").Wait(time.Second)
		if line := again.Line(ref); !strings.Contains(line, "≠ MISMATCH") {
			t.Errorf("after a restart: %q", line)
		}
	})
}
