package screens_test

import (
	"strings"
	"testing"
	"time"

	"paydesk/screens/consoletest"
)

func TestAnUnknownReferenceIsSaidPlainly(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Press("l").Sees("Reference").Type("NOSUCHREF1").Press("enter")
		c.Sees("NOSUCHREF1", "has no record of it").Golden("lookup/unknown")
		n := len(c.Wire.Gets())
		if c.Wait(5 * time.Minute); len(c.Wire.Gets()) != n {
			t.Error("it goes on asking for what is not there")
		}
	})
}

// A reference that is read out is typed in lower case, and the service's are in upper case.
func TestAReferenceInTheWrongCaseLeadsToTheOneInTheJournal(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		pay(c, "12.50", "GBP", "approve")
		c.Yes("Charge 12.50 GBP").Wait(20 * time.Second).Sees("✓ SUCCESSFUL")
		ref := reference(c)
		again := c.Again() // the payment is over, so that only the journal has it
		again.Press("l").Type(strings.ToLower(ref)).Press("enter")
		again.Sees("has no record of it", "The journal has "+ref+": enter looks that up.", "enter look that up").Golden("lookup/spelled")
		again.Press("enter").Sees("Reference   "+ref, "✓ SUCCESSFUL").SeesNot("The journal has")
		again.Press("esc").Sees("Which payment?", ref)
	})
}

func TestABadReferenceIsStoppedAtTheField(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Press("l").Type("no blanks/allowed").Press("enter").Golden("lookup/bad")
		if n := len(c.Wire.Gets()); n != 0 {
			t.Errorf("%d questions were asked", n)
		}
	})
}

// Ten ways to spell a status, and what may be painted as success.
func TestOnlyTwoWordsAreSuccess(t *testing.T) {
	for word, success := range map[string]bool{
		"SUCCESSFUL": true, "Successfull": true, "successful": true, " SUCCESSFULL ": true,
		"UNSUCCESSFUL": false, "SUCCESS": false, "completed": false, "SUCCESSFUL!": false, "Successfu1": false, "ＳＵＣＣＥＳＳＦＵＬ": false,
	} {
		consoletest.Run(t, func(c *consoletest.Console) {
			pay(c, "12.50", "GBP", "approve")
			c.Sandbox.SetStatusWord(word)
			c.Yes("Charge 12.50 GBP").Wait(20 * time.Second)
			if success {
				c.Sees("✓ SUCCESSFUL", "Funds have been secured")
				return
			}
			c.SeesNot("✓ SUCCESSFUL", "Funds have been secured").Sees("unrecognised", "Do not charge again")
		})
	}
}

func TestAnErrorOfAskingNeverChangesTheState(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		pay(c, "12.50", "GBP", "pending-long")
		c.Yes("Charge 12.50 GBP").Wait(10 * time.Second).Sees("PENDING")
		c.Wire.Disconnect(true)
		c.Wait(2*time.Minute).Sees("PENDING", "stale").Golden("lookup/stale")
		c.Wire.Disconnect(false)
		c.Press("r").SeesNot("stale").Sees("PENDING")
	})
}

func TestTheProxyOnTheWayIsShown(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Press("?").Sees("through the proxy", "http://***@proxy.example:3128, key source: demo")
	}, consoletest.Proxy("http://***@proxy.example:3128"), consoletest.Size(120, 40))
}
