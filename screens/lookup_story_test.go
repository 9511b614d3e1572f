package screens_test

import (
	"strings"
	"testing"
	"time"

	"paydesk/screens/consoletest"
)

func TestAnUnknownReferenceIsSaidPlainlyInEveryRoom(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Press("l").Sees("Reference").Type("NOSUCHREF1").Press("enter")
		c.Sees("NOSUCHREF1", "has no record of it").Golden("lookup/unknown")
		n := len(c.Wire.Gets())
		if c.Wait(5 * time.Minute); len(c.Wire.Gets()) != n {
			t.Error("it goes on asking for what is not there")
		}
		for _, room := range []string{"3", "4", "5"} { // a customer calls while another room is shown, and the next one has another reference
			c.Press("esc", "esc", room, "?").Sees("look up").Press("esc", "l").Sees("Which payment?").Paste("NOSUCHREF1").Press("enter").Sees("NOSUCHREF1", "no record of it")
			c.Press("esc").Sees("Which payment?", "NOSUCHREF1").Paste("NOSUCHREF2").WaitsUntilGone("NOSUCHREF1").Press("enter").Sees("Payment NOSUCHREF2", "no record of it")
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
		again.Press("enter").Sees("Reference    "+ref, "✓ SUCCESSFUL").WaitsUntilGone("The journal has")
		again.Press("esc").Sees("Which payment?", ref)
	})
}

// What may be painted as success: package present tests more spellings.
func TestOnlyTwoWordsAreSuccess(t *testing.T) {
	for word, success := range map[string]bool{
		"SUCCESSFUL": true, "Successfull": true, "UNSUCCESSFUL": false, "ＳＵＣＣＥＳＳＦＵＬ": false,
	} {
		consoletest.Run(t, func(c *consoletest.Console) {
			pay(c, "12.50", "GBP", "approve")
			c.Sandbox.SetStatusWord(word)
			c.Yes("Charge 12.50 GBP").Wait(20 * time.Second)
			if success {
				c.Sees("✓ SUCCESSFUL", "Funds have been secured")
				return
			}
			c.WaitsUntilGone("✓ SUCCESSFUL", "Funds have been secured").Sees("unrecognised", "Do not charge again")
		})
	}
}

// Nothing was asked here about a payment that was made elsewhere: what its first answer said it is for is all there is to
// compare the next ones with. That may be of an earlier run, and the payment may be pinned.
func TestAnAmountThatChangedSinceTheLastRunIsNoSuccess(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		refs := strangers(c, 2) // the last one first
		c.Press("l").Type(refs[1]).Press("enter").Wait(5*time.Second).Sees("12.50 GBP").Press("esc", "esc")
		c.Press("1", "l").Type(refs[0]).Press("enter").Wait(5 * time.Second).Sees("13.50 GBP").Press("p").Sees("pinned to Home.")
		settle(c, refs[0])
		settle(c, refs[1])
		more, unreadable := replacing("", `"amount":13\.50`, `"amount":1350.00`), replacing("", `"amount":12\.50`, `"amount":"12.5O"`)
		c.Wire.Rewrite(func(path string, status int, body []byte) (int, []byte) {
			status, body = more(path, status, body)
			return unreadable(path, status, body)
		})
		c.Wait(2*time.Minute).Sees("≠ MISMATCH", "Amount       13.50 GBP   ≠ 1,350.00 GBP", "≠ SUCCESSFUL")
		c.WaitsUntilGone("✓ SUCCESSFUL", "Provide the goods", "Funds have been secured")
		again := c.Again()
		again.Wait(2*time.Minute).Sees("1 mismatch", refs[0])
		again.Press("l").Type(refs[1]).Press("enter").Wait(5 * time.Second)
		again.Sees("≠ MISMATCH", "An earlier answer was for 12.50 GBP", "read: 12.5O GBP.").WaitsUntilGone("✓ SUCCESSFUL")
	})
}

// "Did they pay?" is answered in a chat or a ticket: with what was answered, when and where, and never with a card number.
func TestTheAnswerOfALookUpIsCopiedWhole(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		refs := strangers(c, 2)
		copied := func(want ...string) {
			t.Helper()
			for i, line := range strings.Split(c.Copied(), "\n") {
				if i >= len(want) || !strings.Contains(line, want[i]) || !strings.Contains(line, "SANDBOX") || !strings.Contains(line, "Checked at 2000-01-01 0") {
					t.Errorf("copied %q, not %q", c.Copied(), want)
				}
			}
		}
		c.Press("l").Type("NOSUCHREF1").Press("enter").Wait(5 * time.Second).Press("Y").Sees("answer was sent")
		copied("Payment NOSUCHREF1: The service has no record of it.")
		c.Press("esc").Paste(refs[0]).Press("enter").Wait(5 * time.Second).Press("Y").Sees("answer was sent")
		copied("Payment " + refs[0] + ", 13.50 GBP: INITIATED. The payment was initiated.")
		settle(c, refs[0])
		c.Press("r").Wait(5 * time.Second).Press("Y")
		copied("Payment " + refs[0] + ", 13.50 GBP: SUCCESSFUL. Funds have been secured.")

		c.Press("esc").Paste(refs[0] + "\nNOSUCHREF1\n" + refs[1]).Press("enter").Wait(10 * time.Second).Press("Y").Sees("list of pins was sent")
		copied(refs[0]+", 13.50 GBP: SUCCESSFUL", "NOSUCHREF1: The service has no record of it.", refs[1]+", 12.50 GBP: INITIATED")
		c.Wire.Rewrite(replacing("", `"amount":12\.50`, `"amount":1250.00`))
		c.Press("r").Wait(5 * time.Second).Press("Y")
		if got := c.Copied(); strings.Contains(got, refs[1]+", 12.50 GBP: SUCC") || !strings.Contains(got, "MISMATCH. ") {
			t.Errorf("copied %q", got)
		}
	})
}

func TestACaseHasWhatIsKnownWhenItIsWritten(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		folder := t.TempDir()
		pay(c, "40.00", "GBP", "approve")
		c.Yes("Charge 40.00 GBP").Wait(time.Second).Press("w").Sees("Case").Fill("Folder", folder).WaitsUntilGone("✓ SUCCESSFUL")
		c.Wait(20 * time.Second).Press("enter").Wait(time.Second).Sees("Written to ")
		if text := onlyFile(t, folder, "paydesk-case-*.md"); !strings.Contains(text, "SUCCESSFUL") || strings.Contains(text, "Do not charge again") {
			t.Error(text)
		}
	})
}

func TestAnErrorOfAskingNeverChangesTheState(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		pay(c, "12.50", "GBP", "pending-long")
		c.Yes("Charge 12.50 GBP").Wait(10 * time.Second).Sees("PENDING")
		c.Wire.Disconnect(true)
		c.Wait(2*time.Minute).Sees("PENDING", "stale")
		c.Wire.Disconnect(false)
		c.Press("r").WaitsUntilGone("stale").Sees("PENDING")
	})
}
