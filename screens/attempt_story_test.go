package screens_test

import (
	"strings"
	"testing"
	"time"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/keystore"
	"paydesk/screens/consoletest"
	"paydesk/screens/nav"
	"paydesk/screens/screentest"
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
		c.Sees("paydesk will not send it again.", "Status       press r to check our reference", `press d; it may still appear, so "not found" opens 00:`)
		for says, answer := range map[string]struct {
			status int
			body   string
		}{
			"not prove that nothing was made":     {404, `{"isSuccess":false,"message":"no such payment"}`},
			"does not match the specification":    {200, `{"isSuccess":true,"value":{"paymentStatus":"SUCCESSFUL","amount":{"currencyCode":"GBP","amount":12.5}}}`},
			"no status for our reference":         {200, `{"isSuccess":true,"value":{"paymentReference":"` + ref + `","amount":{"currencyCode":"GBP","amount":12.5}}}`},
			"ANOTHER AMOUNT: 0.99 GBP":            {200, `{"isSuccess":true,"value":{"paymentReference":"` + ref + `","paymentStatus":"SUCCESSFUL","amount":{"currencyCode":"GBP","amount":0.99}}}`},
			"AN AMOUNT THAT CANNOT BE READ: much": {200, `{"isSuccess":true,"value":{"paymentReference":"` + ref + `","paymentStatus":"SUCCESSFUL","amount":{"currencyCode":"GBP","amount":"much"}}}`},
		} {
			c.Wire.Rewrite(func(string, int, []byte) (int, []byte) { return answer.status, []byte(answer.body) })
			c.Press("r").Wait(time.Minute).Sees("It is not known whether", says).WaitsUntilGone("failed", "declined", "✓")
		}
		c.Wire.Disconnect(true)
		c.Press("r").Wait(time.Minute).Sees("It is not known whether", "could not be reached")
		c.Wire.Disconnect(false)
		c.Wire.Rewrite(nil)
		c.Press("x").Yes("Give up").Wait(time.Second).Sees("Given up") // and it can still be found
		c.Press("r").Wait(time.Minute).Sees("▐✓ SUCCESSFUL▌  Card ••••")
		a := attempts(c)[0]
		differ, err := c.Journal.Differing(c.T.Context(), a.Destination) // the answer to a check by our own reference is not recorded
		if a.Decision != ledger.Found || string(a.Reference) != ref || len(differ) != 0 || err != nil {
			t.Errorf("%+v; %v, %v", a, differ, err)
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
// screen, and no console overrules what another has decided meanwhile.
func TestADecisionIsTakenBackAndReplaced(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		lostPayment(c)
		c.Press("u").Sees("There is no decision to take back.")
		c.Wait(10*time.Minute + time.Second).Press("d").Wait(time.Second)
		above := func() int {
			lines, _, _ := strings.Cut(c.Sees("── Possible matches").Screen(), "── Possible matches")
			return strings.Count(lines, "\n")
		}
		at := above()
		for range 2 {
			if c.Press("down").Wait(time.Second); above() != at {
				t.Error("what a person decides by moves from choice to choice")
			}
		}
		c.Press("esc").Wait(time.Second)
		decide(c, "not found").Yes("never made").Sees("Recorded as never done", "u take back")
		c.Press("u").Sees("Take back what was decided?", "Until now: not found, 2000-01-01", "by ada on desk", "unresolved again")
		c.Yes("Take back").Sees("UNRESOLVED", "taken back, 2000", "Before that", "not found, 2000-01-01")
		c.Again().Sees("1 unresolved")
		must(t, c.Journal.Decide(c.T.Context(), attempts(c)[0], ledger.Deciding{Decision: ledger.Found, As: "ref-1"}))
		c.Press("x").Yes("Give up").Sees("The decision was not recorded.", "another answer or decision arrived meanwhile", "found as ref-1")
		c.Press("u").Sees("Until now: found as ref-1", "The payment ref-1 will no longer belong to this attempt.")
		c.Yes("Take back").Sees("UNRESOLVED", "found as ref-1, 2000", "not found, 2000").WaitsUntilGone("Reference     ref-1")
		if a := attempts(c)[0]; a.Decision != ledger.Undecided || a.Reference != "" {
			t.Errorf("%+v", a)
		}
		must(t, c.Journal.Close())
		c.Press("x").Yes("Give up").Sees("The decision was not recorded", "journal was closed", "It is not known whether this payment was made")
	})
}

// A person reads 20.00 GBP and is asked whether that is right, while the service answers 2,000.00 GBP to
// another console. The confirmation applies to an answer that this person has not read.
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
			c.Wait(time.Second).Press("m").Wait(time.Minute).Sees("NO PROOF", "── Rows of 12.50 GBP ──", " 1 found in ", "enter check this ID")
			if n := len(c.Wire.Gets()) - asked; before != (n > 0) {
				t.Errorf("%d pages were asked for", n)
			}
			if before {
				c.Resize(60, 18).Sees(" rows ─", "; 8 not read.", "then press r here").WaitsUntilGone("  Page", "…  ")
			} else {
				c.Resize(60, 24).Sees("rows, read at", "while it was read.").Press("r").Sees("Search started again at 00:")
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
		c.Wait(time.Second).Sees("Sent from profile live, to another service (LIVE · live.example).").WaitsUntilGone("d decide", "x give up", "m matches", "r check").Press("r").Sees("Read again at 00:00:")
		for _, k := range []string{"d", "x", "m", "u", "enter", "s", "p", "c"} {
			c.Press(k).Sees("open that service's profile to continue")
		}
	})
}

func TestAnUnknownReferenceIsSaidPlainlyInEveryRoom(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Press("l").Sees("Reference").Type("NOSUCHREF1").Press("enter")
		c.Sees("NOSUCHREF1", "has no record of it").Golden("lookup/unknown")
		n := len(c.Wire.Gets())
		if c.Wait(5 * time.Minute); len(c.Wire.Gets()) != n {
			t.Error("it goes on asking for what is not there")
		}
		c.Press("r").Wait(time.Second).Sees("Asked again at 00:05:", "no record of it").Press("f").Sees("no such payment")
		for _, room := range []string{"3", "4", "5"} { // a customer calls while another room is shown, and the next one has another reference
			c.Press("esc", "esc", room, "?").Sees("look up").Press("esc", "l").Sees("Which payment?").Paste("NOSUCHREF1").Press("enter").Sees("NOSUCHREF1", "no record of it")
			c.Press("esc").Sees("Which payment?", "NOSUCHREF1").Paste("NOSUCHREF2").Press("enter").Sees("Payment NOSUCHREF2", "no record of it").WaitsUntilGone("Payment NOSUCHREF1")
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
		if again.Bells() != 0 {
			t.Error("it rings for what was final before anybody looked")
		}
		again.Press("esc").Sees("Which payment?", ref)
	})
}

// What may be painted as success: the tests of [api.ParseStatus] have more spellings.
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
		c.Press("2").Wait(time.Second).Press("l").Type(refs[0]).Press("enter").Wait(5 * time.Second).Sees("13.50 GBP").Press("p").Sees("pinned to Home.")
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
		again.Sees("≠ MISMATCH", "Amount       12.50 GBP   ≠ 12.5O GBP").WaitsUntilGone("✓ SUCCESSFUL", "states no amount")
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

// A success whose answer states no amount says so wherever it is read, after a restart too.
func TestTheAnswerIsCopiedFromActivityAndFromAnAttemptToo(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Wire.Rewrite(replacing("", `"amount":\{[^}]*\},`, ``))
		pay(c, "12.50", "GBP", "approve")
		c.Yes("Charge 12.50 GBP").Wait(30 * time.Second).Sees("SUCCESSFUL")
		c.Press("3").Sees("1 attempt").Press("Y").Sees("answer was sent")
		copied := c.Copied()
		if !strings.Contains(copied, "12.50 GBP") || !strings.Contains(copied, ": SUCCESSFUL. Funds have been secured. The service states no readable amount") {
			t.Errorf("copied %q", copied)
		}
		if again := c.Again(); again.Press("3").Sees("1 attempt").Press("Y").Sees("answer was sent").Copied() != copied {
			t.Errorf("copied %q, and after a restart %q", copied, again.Copied())
		}
		c.Press("enter").Wait(time.Second).Press("Y").Sees("answer was sent")
		if c.Copied() != copied {
			t.Errorf("copied %q, and then %q", copied, c.Copied())
		}
	})
}

func TestACaseHasWhatIsKnownWhenItIsWritten(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		folder := t.TempDir()
		pay(c, "40.00", "GBP", "approve")
		c.Yes("Charge 40.00 GBP").Wait(time.Second).Press("w").Sees("Case").Fill("Folder", folder).WaitsUntilGone("✓ SUCCESSFUL")
		c.Wait(20 * time.Second).Press("enter").Wait(time.Second).Sees("Written to ")
		if text := screentest.OnlyFile(t, folder, "paydesk-case-*.md"); !strings.Contains(text, "SUCCESSFUL") || strings.Contains(text, "Do not charge again") {
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
