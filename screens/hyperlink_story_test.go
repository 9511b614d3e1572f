package screens_test

import (
	"testing"

	"paydesk/screens/consoletest"
)

// Where the terminal has hyperlinks, a URL leads to itself; what is beside it leads nowhere.
func TestTheURLsOfLinksAndOfTheBankCanBeClicked(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		createLink(c, "Chairs", "once", "GBP", "120.00")
		page := c.LinkOf("http://127.0.0.1:8099/pay/")
		if c.Copied() != "" || page == "" || c.Press("y").Copied() != page {
			t.Errorf("the link's URL leads to %q, copied is %q", page, c.Copied())
		}
		if to := c.LinkOf("120.00 GBP"); to != "" {
			t.Errorf("the amount leads to %q", to)
		}
		c.Press("esc").Sees("Home")
		pay(c, "12.50", "GBP", "challenge")
		c.Yes("Charge 12.50 GBP").Sees("The customer opens this URL")
		bank := c.Press("y").Copied()
		// The URL takes two lines, each of which leads to the whole of it.
		if first, second := c.LinkOf("http://127.0.0.1:8099/bank/"), c.LinkOf("%20%26%20co"); first != bank || second != bank {
			t.Errorf("the bank's URL leads to %q and %q, copied is %q", first, second, bank)
		}
		c.Press("tab").Sees("redirect=false")
		if to := c.LinkOf("http://127.0.0.1:8099/bank/"); to == bank || to != c.Press("y").Copied() {
			t.Errorf("with another redirect it leads to %q", to)
		}
	}, consoletest.Hyperlinks())
}
