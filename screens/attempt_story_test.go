package screens_test

import (
	"testing"
	"time"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/keystore"
	"paydesk/screens/consoletest"
	"paydesk/screens/nav"
)

// lostPayment makes a payment whose answer is lost, and stands on its attempt. It returns what the service calls it.
func lostPayment(c *consoletest.Console) (reference string) {
	c.T.Helper()
	pay(c, "12.50", "GBP", "approve")
	c.Sandbox.Arm("POST", "lost-answer", 1)
	c.Yes("Charge 12.50 GBP").Sees("It is not known whether this payment was made")
	return c.Sandbox.Payments()[0].Reference
}

// sendsReference has our own reference sent with each payment.
func sendsReference() consoletest.Option {
	return consoletest.As(func(p *keystore.Profile) { p.SendReference = true })
}

// Our reference finds a lost payment only where the service answers about it with a status of what was asked for.
func TestOurReferenceFindsALostPaymentOnceItsStatusSaysSo(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		ref := lostPayment(c)
		for says, answer := range map[string]struct {
			status int
			body   string
		}{
			"no proof that nothing was made":      {404, `{"isSuccess":false,"message":"no such payment"}`},
			"no status for our reference":         {200, `{"isSuccess":true,"value":{"amount":{"currencyCode":"GBP","amount":12.5}}}`},
			"another amount":                      {200, `{"isSuccess":true,"value":{"paymentStatus":"SUCCESSFUL","amount":{"currencyCode":"GBP","amount":0.99}}}`},
			"an amount that cannot be read: much": {200, `{"isSuccess":true,"value":{"paymentStatus":"SUCCESSFUL","amount":{"currencyCode":"GBP","amount":"much"}}}`},
		} {
			c.Wire.Rewrite(func(string, int, []byte) (int, []byte) { return answer.status, []byte(answer.body) })
			c.Press("r").Wait(time.Minute).Sees("It is not known whether", says).WaitsUntilGone("failed", "declined", "✓")
		}
		c.Wire.Disconnect(true)
		c.Press("r").Wait(time.Minute).Sees("It is not known whether", "could not be reached")
		c.Wire.Disconnect(false)
		c.Wire.Rewrite(nil)
		c.Press("x").Yes("Stop trying").Wait(time.Second).Sees("Given up") // and it can still be found
		c.Press("r").Wait(time.Minute).Sees("Paid by", "✓ SUCCESSFUL")
		if a := attempts(c)[0]; a.Decision != ledger.Found || string(a.Reference) != ref {
			t.Errorf("%+v", a)
		}
	}, sendsReference())
	consoletest.Run(t, func(c *consoletest.Console) {
		lostPayment(c)
		c.Wire.Rewrite(replacing("", `eference":"[^"]*"`, `eference":"OTHER7"`))
		if c.Press("r").Wait(time.Second); attempts(c)[0].Reference != "OTHER7" {
			t.Errorf("the answer names another reference: %+v", attempts(c)[0])
		}
	}, sendsReference())
}

// A reference that a person types is asked about first, and what the service says of it stands in the question.
func TestAReferenceIsCheckedBeforeAPersonIsAskedAboutIt(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		ref := lostPayment(c)
		decide(c, "found as…").Type("NOSUCH1").Press("enter").Wait(time.Second).Sees("The service has no payment with this reference").WaitsUntilGone("Record that")
		c.Wire.Slow(15 * time.Second)
		c.Press("ctrl+u").Type(ref).Press("enter").Sees("Checking the reference")
		c.Type("9").WaitsUntilGone("Checking the reference").Wait(time.Minute).WaitsUntilGone("Record that") // it was about the former text
		c.Wire.Slow(0)
		c.Wire.Disconnect(true)
		c.Press("enter").Wait(time.Minute).Sees("Record that it was found as "+ref+"9?", "could not be checked", "could not be reached").Press("esc")
		c.Wire.Disconnect(false)
		c.Press("backspace")
		for says, change := range map[string]consoletest.Rewrite{
			"ANOTHER AMOUNT: 0.99 GBP instead of 12.50 GBP": replacing("", `"amount":12\.50`, `"amount":0.99`),
			"AN AMOUNT THAT CANNOT BE READ: much":           replacing("", `"amount":12\.50`, `"amount":"much"`),
			"without a readable amount":                     replacing("", `"amount":\{[^}]*\},`, ``),
			"found as ref-10?":                              replacing("", `eference":"[^"]*"`, `eference":"ref-10"`),
		} {
			c.Wire.Rewrite(change)
			c.Press("enter").Wait(time.Second).Sees(says).WaitsUntilGone("✓").Press("esc")
		}
	})
}

// "Not found" was taken for true too early: the decision is taken back, and another is made. What was decided before stays on the
// screen, and nobody decides over what another console has decided meanwhile.
func TestADecisionIsTakenBackAndReplaced(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		lostPayment(c)
		c.Press("u").Sees("Nothing is decided that could be taken back.")
		c.Wait(10*time.Minute + time.Second)
		decide(c, "not found").Yes("never made").Sees("Recorded as never done", "u take back")
		c.Press("u").Sees("Take back what was decided?", "Until now: not found, 2000-01-01", "by ada on desk", "unresolved again")
		c.Yes("Take back").Sees("UNRESOLVED", "taken back, 2000", "Before that", "not found, 2000-01-01")
		c.Again().Sees("1 unresolved")
		must(t, c.Journal.Decide(c.T.Context(), attempts(c)[0], ledger.Found, "ref-1"))
		c.Press("x").Yes("Stop trying").Sees("The decision was not recorded.", "another answer or decision arrived meanwhile", "found as ref-1")
		c.Press("u").Sees("Until now: found as ref-1", "The payment ref-1 is then no longer this attempt's.")
		c.Yes("Take back").Sees("UNRESOLVED", "found as ref-1, 2000", "not found, 2000").WaitsUntilGone("Reference     ref-1")
		if a := attempts(c)[0]; a.Decision != ledger.Undecided || a.Reference != "" {
			t.Errorf("%+v", a)
		}
	})
}

// A person reads 20.00 GBP and is asked whether that is right, while the service answers 2,000.00 GBP to
// another console. What was confirmed is about an answer that nobody has read.
func TestNobodyDecidesAboutAnAnswerThatWasNotShown(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Wire.Rewrite(replacing("", `"amount":12\.50`, `"amount":20.00`))
		pay(c, "12.50", "GBP", "approve")
		c.Yes("Charge 12.50 GBP").Wait(time.Minute).Sees("20.00 GBP")
		a := attempts(c)[0]
		decide(c, "answer is right").Sees("Record that the service's answer is right?").Wait(time.Second)
		got := api.PaymentStatus{Reference: a.Reference, Status: api.ParseStatus("SUCCESSFUL"), Amount: pounds(200_000), HasAmount: true}
		must(t, c.Journal.RecordTransaction(c.T.Context(), a.Destination, got))
		c.Press("y").Wait(time.Second).Sees("The decision was not recorded.", "another answer or decision arrived meanwhile", "2,000.00 GBP")
		if a := attempts(c)[0]; !a.Mismatch.Undecided() {
			t.Errorf("%+v", a)
		}
		decide(c, "answer is right").Yes("answer is right").Wait(time.Second).Sees("Decided      answer is right")
	})
}

// The rows of a scan are searched where it began after the attempt; else the newest pages are read.
func TestMatchesComeFromAllRowsWhereTheListWasRead(t *testing.T) {
	for _, before := range []bool{true, false} {
		consoletest.Run(t, func(c *consoletest.Console) {
			scan := func() {
				toMenu(c).Press("2").Wait(time.Second).Press("space").Wait(time.Minute).Sees("no change seen")
			}
			if before {
				scan()
				toMenu(c)
			}
			lostPayment(c)
			id := attempts(c)[0].ID
			if !before {
				c.Wait(2 * time.Minute)
				scan()
			}
			c.Send(nav.Push{To: nav.Attempt{ID: id}})
			asked := len(c.Wire.Gets())
			c.Wait(time.Second).Press("m").Wait(time.Minute).Sees("NO PROOF")
			if n := len(c.Wire.Gets()) - asked; before != (n > 0) {
				t.Errorf("%d pages were asked for", n)
			}
			if !before {
				c.Sees("rows, read at", "no change seen while it was read.")
			}
		})
	}
}

// An attempt of another service is shown, and neither asked about nor decided here.
func TestAnAttemptOfAnotherServiceIsOnlyShown(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		there := ledger.Destination{Profile: "live", Environment: "LIVE", Host: "live.example"}
		a := recorded(c, ledger.Attempt{Kind: ledger.Initiate, Amount: pounds(1250), Channel: api.ChannelCard, Destination: there}, ledger.Payer{}, ledger.Result{Outcome: ledger.Unresolved, Why: "silence"})
		c.Send(nav.Push{To: nav.Attempt{ID: a.ID}})
		c.Wait(time.Second).Sees("Sent from profile live, to another service (LIVE · live.example).").WaitsUntilGone("d decide", "x give up", "m matches", "r check")
		for _, k := range []string{"d", "x", "m", "u", "enter", "s", "p", "c"} {
			c.Press(k).Sees("open a profile of that one to continue")
		}
	})
}
