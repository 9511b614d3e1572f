package screens_test

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/journal"
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
		must(t, c.Journal.Close())
		c.Press("x").Yes("Stop trying").Sees("The decision was not recorded", "journal was closed", "It is not known whether this payment was made")
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

// attempts returns what the journal holds, newest first.
func attempts(c *consoletest.Console) []ledger.Attempt {
	c.T.Helper()
	all, _, err := c.Journal.Attempts(c.T.Context(), journal.Filter{}, 0, 100)
	must(c.T, err)
	return all
}

func TestAfterACrashAPaymentGoesOnAtItsBank(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		pay(c, "12.50", "GBP", "challenge")
		c.Yes("Charge 12.50 GBP to •••• 1019?")
		ref := reference(c)
		again := c.Again()
		again.Sees("1 in progress", "INITIATED", "12.50 GBP", "•••• 1019", ref).Golden("resume/home")
		again.Press("enter").Sees(ref, "INITIATED", "The customer must complete the bank check: press a")
		again.Press("a").Sees("Bank check", "The customer opens this URL", ref).Golden("resume/bank")
		c.Sandbox.Approve(ref)
		again.Press("s").Wait(time.Minute).Sees("SUCCESSFUL")
		if n := c.Wire.PostsTo("/pay/initiate"); n != 1 {
			t.Errorf("sent %d times", n)
		}
		again.Press("esc", "esc").Sees("Nothing needs attention")
	})
}

func TestAfterACrashALinksPaymentIsFinalizedOnce(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		createLink(c, "Chairs", "once", "GBP", "120.00")
		payLink(c, "challenge")
		c.Yes("Charge 120.00 GBP")
		ref := reference(c)
		c.Again().Press("enter").Wait(time.Second).Press("f").Sees("must complete the bank's check first")
		c.Sandbox.Approve(ref)
		c.Press("enter").Sees("Finalize " + ref + "?") // the customer is done, and nothing is asked yet
		again := c.Again()
		again.Press("enter").Wait(time.Second).Sees(ref, "must be finalized: press f")
		again.Press("f").Yes("Finalize").Sees("completed")
		again.Press("enter").Wait(time.Minute).Sees("SUCCESSFUL")
		if n := c.Wire.PostsTo("/pay/finalize"); n != 1 {
			t.Errorf("finalized %d times", n)
		}
		// The first console hears of it when it asks, and does not retry finalize.
		third := c.Again()
		third.Sees("Settled today", "SUCCESSFUL", ref, "Nothing needs attention").WaitsUntilGone("Needs you", "Under way")
	})
}

func TestACrashWhileSendingLeavesAnAttemptAndNeverSendsAgain(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		pay(c, "12.50", "GBP", "approve")
		c.Wire.Slow(80 * time.Second)
		c.Sees("Charge 12.50 GBP").Wait(time.Second)
		c.Press("y")
		again := c.Again()
		again.Sees("Nothing recorded here is in progress") // another console is sending it
		c.Wait(2 * time.Minute)
		third := c.Again()
		third.Sees("1 in progress")
		if n := c.Wire.PostsTo("/pay/initiate"); n != 1 {
			t.Errorf("sent %d times", n)
		}
	})
}

// Twelve payments are lost. The profile is renamed, or names the same host otherwise: they are
// still there, and the same customer is not charged again without a question.
func TestLostPaymentsAreThereWhateverTheProfileIsCalled(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		key := secret(consoletest.Key)
		fingerprint, err := c.Journal.Fingerprint(c.T.Context(), key)
		must(t, err)
		for i := range int64(12) {
			lost := ledger.Attempt{
				Kind: ledger.Initiate, Channel: api.ChannelCard, Card: "4242", Amount: pounds(1250 + i),
				Destination: ledger.Destination{Profile: "old", Environment: "SANDBOX", Host: "127.0.0.1:8099", Fingerprint: fingerprint},
			}
			recorded(c, lost, ledger.Payer{Email: "ada+first@example.org"}, ledger.Result{Outcome: ledger.Unresolved, Why: "the answer was lost"})
		}
		for _, change := range []func(*keystore.Profile){
			func(p *keystore.Profile) { p.Name = "renamed" },
			func(p *keystore.Profile) { p.BaseURL = "http://localhost:8099" },
		} {
			again := c.AgainAs(change)
			again.Sees("12 unresolved", "Sent from profile old")
			again.Press("3").Sees("12 attempts of this service").Press("esc")
			pay(again, "12.50", "GBP", "approve")
			again.Yes("Charge 12.50 GBP to •••• 4242?").Sees("Nothing was sent: this looks like a duplicate.", "from profile old")
		}
		if n := c.Wire.PostsTo("/pay/initiate"); n != 0 {
			t.Errorf("sent %d times", n)
		}
	})
}

type secret string

func (s secret) Expose() string { return string(s) }

func TestALookAlikeOfAnotherConsoleIsNamedBeforeAnythingIsSent(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		pay(c, "12.50", "GBP", "approve")
		c.Yes("Charge 12.50 GBP").Wait(2 * time.Second)
		other := c.Again()
		pay(other, "12.50", "GBP", "challenge")
		other.Yes("Charge 12.50 GBP").Sees("Nothing was sent: this looks like a duplicate", "•••• 4242", "ada").Golden("resume/look-alike")
		if n := c.Wire.PostsTo("/pay/initiate"); n != 1 {
			t.Fatalf("sent %d times", n)
		}
		// Enter alone goes back; only the short id lets it pass.
		other.Wait(time.Second).Press("enter").Wait(time.Second)
		if n := c.Wire.PostsTo("/pay/initiate"); n != 1 {
			t.Errorf("sent %d times", n)
		}
	})
}

// strayed is what somebody might press who does not look, besides enter and letters.
var strayed = []tea.KeyPressMsg{
	{Code: tea.KeyTab}, {Code: tea.KeyTab, Mod: tea.ModShift}, {Code: tea.KeyDown}, {Code: tea.KeyUp}, {Code: tea.KeyRight}, {Code: tea.KeyLeft},
	{Code: tea.KeyEscape}, {Code: tea.KeySpace, Text: " "}, {Code: tea.KeyBackspace}, {Code: tea.KeyF1}, {Code: tea.KeyPgDown},
	{Code: 's', Mod: tea.ModCtrl}, {Code: 'l', Mod: tea.ModCtrl}, {Code: 't', Mod: tea.ModCtrl}, {Code: tea.KeyF3}, {Code: 'r', Mod: tea.ModCtrl},
}

// A walker presses keys. Without figures it can type no amount, and no currency for want of
// capitals.
type walker struct {
	*rand.Rand
	figures bool
}

func (w walker) step() tea.Msg {
	letter := rune('a' + w.IntN(26))
	switch n := w.IntN(100); {
	case n < 40:
		return tea.KeyPressMsg{Code: tea.KeyEnter, IsRepeat: w.IntN(4) == 0}
	case n < 65:
		return strayed[w.IntN(len(strayed))]
	case n < 67:
		return tea.PasteMsg{Content: "shop\n"}
	case n < 73:
		letter = 'y'
	case n < 83 && w.figures:
		letter = rune('0' + w.IntN(10))
	}
	if letter == 'q' { // it would end the walk on home
		letter = 'z'
	}
	return tea.KeyPressMsg{Code: letter, Text: string(letter)}
}

// walk presses up to 500 keys, some at once and some after a thought, and now and then
// looks at the frame. It returns the titles of the screens that it saw then.
func walk(c *consoletest.Console, seed uint64, figures bool) (titles []string) {
	c.T.Helper()
	w := walker{rand.New(rand.NewPCG(seed, 77)), figures}
	for i := range 1 + w.IntN(500) {
		c.Send(w.step())
		if w.IntN(3) == 0 {
			time.Sleep(time.Duration(w.IntN(900)) * time.Millisecond)
		}
		if i%20 == 0 {
			if c.Wait(0); !strings.Contains(c.Screen(), "▐▲ LIVE▌") || !strings.Contains(c.Screen(), "127.0.0.1:8099") {
				c.T.Fatalf("walk %d has a frame that does not say where it is:\n%s", seed, c.Boxed())
			}
			titles = append(titles, title(c))
		}
	}
	c.Wait(2 * time.Second) // for what is on its way
	return titles
}

// walks returns how many walks there are: 200, of which a usual run takes four.
func walks() uint64 {
	if long {
		return 200
	}
	return 4
}

func TestNoWalkOnALiveProfilePostsWithoutTheUnlock(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and one thing after the other: it looks for no races")
	}
	seen := map[string]int{}
	for seed := range walks() {
		consoletest.Run(t, func(c *consoletest.Console) {
			for _, name := range walk(c, seed, true) {
				seen[name]++
			}
			if posts := c.Wire.Posts(); len(posts) != 0 {
				t.Errorf("walk %d posted %q", seed, posts)
			}
		}, consoletest.Live(), consoletest.Size(60, 18), consoletest.As(func(p *keystore.Profile) { p.AllowCardEntry = true }))
	}
	if len(seen) < 6 {
		t.Errorf("the walks saw %v alone", seen)
	}
}

// title is the title of the screen.
func title(c *consoletest.Console) string {
	head, _, _ := strings.Cut(c.Screen(), "\n")
	trail, _, _ := strings.Cut(strings.TrimSpace(head), "  ")
	return trail
}

func TestNoWalkThatIsUnlockedSendsWithoutTheTypedAmountOrACardAtAll(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and one thing after the other: it looks for no races")
	}
	for seed := range walks() {
		consoletest.Run(t, func(c *consoletest.Console) {
			unlocked(c)
			if seed%2 == 0 { // it begins in the middle of the way
				linked(c)
				c.Sees("Type 120.00")
			} else {
				c.Press("c").Choose("Currency", "NGN").Fill("Amount", "1,500").Press("enter").Sees("These channels accept")
			}
			walk(c, seed, false)
			for _, path := range []string{"/payment-link", "/initiate", "/finalize"} {
				if n := c.Wire.PostsTo(path); n != 0 {
					t.Errorf("walk %d posted %d times to %s", seed, n, path)
				}
			}
		}, consoletest.Live())
	}
}
