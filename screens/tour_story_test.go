package screens_test

import (
	"strings"
	"testing"
	"time"

	"paydesk/screens/consoletest"
)

// lead walks the four lines to their ends, each from home.
func lead(c *consoletest.Console) {
	c.T.Helper()
	c.Sees("0 of 4 done", "▌ ○ to do  Pay by card").Press("enter").Sees("A made-up payment is filled in", "These channels accept").Press("enter")
	c.Sees("test.customer@example.com").Press("ctrl+s").Sees("▌ challenge").Press("enter").Sees("https://shop.example/done").Press("ctrl+s")
	c.Yes("to •••• 1019?").Sees("The customer opens this URL")
	c.Sandbox.Approve(reference(c))
	c.Press("enter").Wait(time.Second).Sees("PENDING").Press("1").Sees("0 of 4 done").Wait(time.Minute).Sees("✓ SUCCESSFUL", "1 of 4 done", "✓ done   Pay by card")

	payMadeUpLink(c)
	c.Press("esc", "esc", "esc")
	c.Sees("2 of 4 done", "✓ done   Pay a link")

	toLine(c, "Lose an answer").Press("enter").Sees("A made-up payment is filled in").Press("enter").Sees("Test").Press("ctrl+s")
	c.Sees("▌ approve").Press("enter").Press("ctrl+s").Yes("to •••• 4242?").Sees("It is not known whether this payment was made")
	ref := c.Sandbox.Payments()[0].Reference
	c.Press("esc").Sees("2 of 4 done", "? UNRESOLVED")
	toLine(c, "Lose an answer").Press("enter").Sees("It is not known whether this payment was made")
	decide(c, "found as…").Sees("Found as").Type(ref).Press("enter").Wait(time.Second)
	c.Yes("found").Wait(time.Minute).Press("esc")
	if !c.Has("Menu") {
		c.Press("1")
	}
	c.Sees("3 of 4 done", "✓ done   Lose an answer")

	arrives(c, ref, "SUCCESSFUL", "12.5")
	c.Wait(5 * time.Second).Sees("3 of 4 done")
	toLine(c, "See a webhook").Press("enter").Wait(5*time.Second).Sees("1 event", ref).Press("esc").Sees("all done: x takes these off", "✓ done   See a webhook")
}

// payMadeUpLink creates the link of the line and pays it, up to its status.
func payMadeUpLink(c *consoletest.Console) {
	c.T.Helper()
	toLine(c, "Pay a link").Press("enter").Sees("A made-up link is filled in", "Six oak chairs", "▌ Amount").Press("enter").Sees("collect payment", "120.00 GBP")
	c.Press("enter").Sees("A made-up payment is filled in", "These channels accept").Press("enter").Sees("test.customer@example.com").Press("ctrl+s")
	c.Sees("▌ approve").Press("enter").Press("ctrl+s").Yes("Charge 120.00 GBP to •••• 4242").Wait(time.Second).Press("f").Yes("Finalize").Sees("completed").Press("enter").Wait(time.Minute).Sees("SUCCESSFUL")
}

// toLine puts the mark on a line of the tour.
func toLine(c *consoletest.Console, name string) *consoletest.Console {
	c.T.Helper()
	for range 40 {
		if strings.Contains(c.Line(name), "▌") {
			return c
		}
		c.Press("down")
	}
	c.T.Fatalf("the mark is not on %q:\n%s", name, c.Boxed())
	return c
}

func TestTheDemoLeadsThroughFourLinesThatTickThemselves(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Golden("tour/begin")
		lead(c)
		c.Golden("tour/end")
		toLine(c, "See a webhook").Press("x").WaitsUntilGone("Try these").Press("r").Wait(time.Second).WaitsUntilGone("Try these")
	}, consoletest.Inbox(), consoletest.Tour())
}

func TestAnAnswerIsLostOnlyFromTheLineThatSaysSo(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		toLine(c, "Lose an answer").Press("enter").Sees("A made-up payment is filled in")
		if len(c.Sandbox.Armed()) != 1 {
			t.Errorf("armed are %+v", c.Sandbox.Armed())
		}
		c.Press("esc", "esc").Sees("Menu").Wait(time.Second)
		if len(c.Sandbox.Armed()) != 0 {
			t.Errorf("armed are %+v", c.Sandbox.Armed())
		}
		pay(c, "12.50", "GBP", "approve")
		c.Yes("Charge 12.50 GBP").Wait(time.Minute).Sees("✓ SUCCESSFUL")
	}, consoletest.Tour())
}

func TestAWebhookIsSentWhereNoneHasArrivedYet(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		must(t, c.Sandbox.SetWebhooks([]string{"http://127.0.0.1:1/hook"}))
		defer c.Sandbox.SetWebhooks(nil)
		toLine(c, "See a webhook").Press("enter").Sees("No webhook has arrived yet")
		sent := c.Sandbox.Deliveries()
		if len(sent) != 1 || !sent[0].Sample {
			t.Fatalf("sent are %+v", sent)
		}
		c.Press("esc").Sees("0 of 4 done")
		toLine(c, "See a webhook").Press("enter")
		arrives(c, sent[0].Reference, "SUCCESSFUL", "12.5")
		c.Wait(5*time.Second).Sees("1 event", "SAMPLE1").Press("esc").Sees("1 of 4 done", "✓ done   See a webhook")
		toLine(c, "See a webhook").Press("enter").Wait(time.Second).Sees("1 event")
		if n := len(c.Sandbox.Deliveries()); n > 2 {
			t.Errorf("sent %d", n)
		}
	}, consoletest.Inbox(), consoletest.Tour())
}

func TestOnlyTheDemoHasTheFourLines(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Sees("Menu").Wait(time.Second).WaitsUntilGone("Try these")
	}, append(two(t), consoletest.Tour())...)
}
