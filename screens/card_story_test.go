package screens_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"paydesk/api/ledger"
	"paydesk/api/sandbox"
	"paydesk/keystore"
	"paydesk/screens/consoletest"
)

// pay goes through the card step's stages with a test card, up to the question.
func pay(c *consoletest.Console, amount, currency, card string) {
	c.T.Helper()
	toCard(c.Person, amount, currency)
	pick(c.Person, card)
	c.Press("ctrl+s")
}

// reference is the reference on the screen.
func reference(c *consoletest.Console) string {
	c.T.Helper()
	line := c.Line("Reference")
	var name, ref string
	if n, err := fmt.Sscan(line, &name, &ref); n != 2 {
		c.T.Fatalf("no reference in %q: %v", line, err)
	}
	return ref
}

func TestACardWithAChallengeIsTakenToItsEnd(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		pay(c, "12.50", "GBP", "challenge")
		c.Sees("12.50 GBP   sent as 12.5", "•••• 1019", "SANDBOX").Golden("card/review")
		c.Yes("Charge 12.50 GBP to •••• 1019?")
		c.Sees("The customer opens this URL", "redirect=true").Golden("card/challenge")
		ref := reference(c)

		c.Press("tab").Sees("redirect=false").Press("tab")
		c.Press("a").Sees("Needed       yes", "PROCEED").Golden("card/check").Press("a").Sees("Asked again at 00:00:")

		if !c.Sandbox.Approve(ref) {
			t.Fatal("the bank could not approve")
		}
		c.Press("enter").Sees(ref, "PENDING")
		c.Wait(30*time.Second).Sees("SUCCESSFUL", "Provide the goods or service").Golden("card/successful")
		if c.Bells() != 1 {
			t.Errorf("the bell rang %d times", c.Bells())
		}
		if len(c.Sandbox.Payments()) != 1 {
			t.Errorf("the service took %d payments", len(c.Sandbox.Payments()))
		}
		c.Press("esc").Sees("SUCCESSFUL", "12.50 GBP").Golden("card/home")
	}, consoletest.Inbox())
}

// That the customer is done does not mean that the bank approved: only the service's status says so.
func TestTheBankIsDoneOnlyWhenItApproved(t *testing.T) {
	for name, c := range map[string]struct {
		decide       func(*sandbox.Sandbox, string) bool
		status, step string
	}{
		"approved":  {(*sandbox.Sandbox).Approve, "SUCCESSFUL", "✓ Bank"},
		"rejected":  {(*sandbox.Sandbox).Reject, "FAILED", "✓ Review ── ● Status"}, // nothing is left to do at the bank
		"abandoned": {func(*sandbox.Sandbox, string) bool { return true }, "INITIATED", "○ Bank"},
	} {
		t.Run(name, func(t *testing.T) {
			consoletest.Run(t, func(s *consoletest.Console) {
				pay(s, "40.00", "GBP", "challenge")
				s.Yes("Charge 40.00 GBP")
				ref := reference(s)
				if !c.decide(s.Sandbox, ref) {
					t.Fatal("the bank took no answer")
				}
				s.Press("enter").Wait(time.Minute).Sees(c.status, c.step)
				s.Again().Press("l").Fill("Reference", ref).Press("enter").Wait(time.Second).Sees(c.status, c.step)
			})
		})
	}
}

func TestAQuitDuringAPaymentWaitsForItsAnswer(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		pay(c, "12.50", "GBP", "approve")
		c.Wire.Slow(20 * time.Second)
		c.Yes("Charge 12.50 GBP to •••• 4242?")
		c.Press("esc").Sees("being sent")
		c.Press("ctrl+c").Sees("Quitting once the service answers").Golden("card/leaving")
		c.Press("esc").WaitsUntilGone("Quitting once").Press("ctrl+c").Sees("Quitting once")
		if c.Ended() {
			t.Fatal("it left")
		}
		c.Wait(30 * time.Second)
		if err := c.Done(); err != nil {
			t.Error(err)
		}
		if len(c.Sandbox.Payments()) != 1 {
			t.Errorf("the service took %d payments", len(c.Sandbox.Payments()))
		}
	})
}

func TestALostAnswerIsNeverSentAgainAndFoundByItsReference(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		pay(c, "12.50", "GBP", "approve")
		c.Sandbox.Arm("POST", "lost-answer", 1)
		c.Yes("Charge 12.50 GBP to •••• 4242?")
		c.Sees("It is not known whether this payment was made").Golden("card/unresolved")
		for _, k := range []string{"enter", "r", "y", "a", "s", "space", "ctrl+s"} {
			c.Press(k).Wait(time.Second)
		}
		if n := c.Wire.PostsTo("/pay/initiate"); n != 1 || len(c.Sandbox.Payments()) != 1 {
			t.Errorf("%d sent, %d taken", n, len(c.Sandbox.Payments()))
		}
		taken := c.Sandbox.Payments()[0].Reference
		decide(c, "found as…").Sees("Found as").Type(taken).Press("enter").Wait(time.Second)
		c.Yes("found")
		c.Wait(time.Minute).Sees(taken, "SUCCESSFUL").Golden("resume/found")
		if a := attempts(c)[0]; a.Decision != ledger.Found || a.DecidedBy.User != "ada" {
			t.Errorf("%+v", a)
		}
	})
}

// What covers the question takes back an answer that was given a moment before, and one that is typed ahead of what is
// uncovered is none.
func TestACoveredQuestionTakesItsAnswerBack(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		pay(c, "12.50", "GBP", "approve")
		yes := tea.KeyPressMsg{Code: 'y', Text: "y"}
		for name, cover := range map[string]tea.Msg{
			"the help": tea.KeyPressMsg{Code: '?', Text: "?"}, "the palette": tea.KeyPressMsg{Code: ':', Text: ":"},
			"the sandbox": tea.KeyPressMsg{Code: tea.KeyF3}, "a stop": tea.ResumeMsg{},
		} {
			c.Sees("Charge 12.50 GBP").Wait(time.Second)
			c.Send(yes) // no time passes before the next message
			c.Send(cover)
			if c.Wait(2 * time.Second); name != "a stop" {
				c.WaitsUntilGone("Yes ").Press("esc")
				c.Send(yes)
			}
			if c.Wait(time.Second); c.Wire.PostsTo("/pay/initiate") != 0 {
				t.Fatalf("it was sent after %s", name)
			}
		}
		c.Yes("Charge 12.50 GBP").Sees("PENDING")
	})
}

// realCard passes every check of a number, and is on no list of test cards.
const realCard = "4539148803436467"

// typeCard goes to the review of a payment with a card that is typed.
func typeCard(c *consoletest.Console, number string) {
	c.T.Helper()
	toCard(c.Person, "12.50", "GBP")
	c.Fill("Card number", number)
	c.Fill("CVV", "123")
	c.Fill("Expiry", "12/34")
	c.Fill("Return URL", "https://shop.example/done")
	c.Press("ctrl+s")
}

func TestInTestARealCardIsSentOnlyAfterAWord(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		typeCard(c, realCard)
		c.Sees("This may be a real card", "Type real to continue", "•••• 6467")
		c.Golden("card/real")
		c.Wait(time.Second).Press("right").Wait(time.Second).Press("enter").Wait(time.Second)
		c.Sees("Type real exactly as shown")
		if n := c.Wire.PostsTo("/initiate"); n != 0 {
			t.Fatalf("%d were sent without the word", n)
		}
		c.Press("left").Slowly("real").Press("right").Wait(time.Second).Press("enter").Wait(time.Second)
		c.Sees("The service rejected the request") // it was sent, and rejected
		if n := c.Wire.PostsTo("/initiate"); n != 1 {
			t.Fatalf("%d were sent", n)
		}
		c.Fill("CVV", "123").Press("ctrl+s").Sees("Charge 12.50 GBP").WaitsUntilGone("real card", "Type real")
		toMenu(c).Press("c", "ctrl+x", "esc")
		typeCard(c, "4111111111111111") // which is known as a test card
		c.Sees("Charge 12.50 GBP").WaitsUntilGone("real card", "Type real")
	}, consoletest.As(func(p *keystore.Profile) { p.Environment = keystore.Test }))
}

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
		c.Press("esc").Wait(time.Second).Sees("No payment needs attention", "≠ MISMATCH", "looked up", ref).WaitsUntilGone("✓")

		again := c.Again()
		again.Wait(time.Second).Sees("≠ MISMATCH", "looked up", ref).WaitsUntilGone("✓", "Needs you", "Under way")
		again.Press("2").Wait(time.Second).Sees("≠ MISMATCH", ref)

		c.Wire.Rewrite(listing(ref, nil)) // the service takes it back: what it said stays said
		again.Press("esc", "enter").Wait(time.Second).Sees("≠ MISMATCH", "5.00 GBP was received", "says 12.50 GBP").WaitsUntilGone("✓ S", "Provide the goods")
	})
}

// A customer who says that they paid may have paid in part. Whoever finalizes sees what has arrived.
func TestWhatALinksTransferBroughtIsShownBeforeItIsFinalized(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		must(t, c.Sandbox.SetSwitch("transaction.extras", "on"))
		createLink(c, "Chairs", "once", "NGN", "1500")
		c.Wait(time.Second).Press("enter").Sees("into an account given next").Press("down", "enter")
		customer(c.Person)
		c.Press("ctrl+s").Yes("1,500.00 NGN").Sees("customer paid")
		ref := reference(c)
		must(t, c.Sandbox.Pay(ref, "1000"))
		c.Press("enter").Wait(time.Second).Sees("▐◌ PENDING▌", "Part of the amount was received").Press("a").Sees("customer paid")
		c.Wire.Rewrite(replacing("", `"PENDING"`, `"REQUIRE_USER_OFFLINE_ACTION"`))
		c.Wait(time.Second).Press("a", "a").Sees("customer paid").Press("Y").Sees("The reference was sent") // a key that is held down records nothing
		c.Press("d").Wait(time.Second).Sees("Part of the amount was received", "Received     1,000.00 of 1,500.00 NGN", "must be finalized: press f")
		c.Press("f").Sees("Finalize "+ref+"?", "Received 1,000.00 of 1,500.00 NGN (checked 00:").Golden("finalize/received").Press("esc")
		c.Wire.Rewrite(replacing("", `"amountPaid":\{[^}]*\}`, `"amountPaid":"5,0O"`))
		c.Press("r").Wait(time.Second).Sees("PENDING", "Money may have been received: 5,0O NGN (raw)", "Provide nothing yet")
		c.Press("a").Sees("5,0O NGN (raw)").WaitsUntilGone("The customer pays exactly")
		expires(c).Press("enter").Wait(time.Minute).Sees("FAILED", "money may have been received: 5,0O NGN (raw)", "Ask the provider").WaitsUntilGone("press c")
		c.Press("c").Sees("Money may have been received.")
		c.Wire.Rewrite(replacing("", `"amount":\{[^}]*\},(.*)"amountPaid":\{[^}]*\}`, `${1}"amountPaid":1000`)) // in the currency that was asked for
		c.Press("r").Wait(time.Second).Sees("money was received: 1,000.00 of 1,500.00 NGN").WaitsUntilGone("press c").Press("c").Sees("Money was received. Ask the provider")
		c.Press("3").Wait(time.Second).Sees("✗ FAILED", "2 attempts").Press("c").Sees("Money was received. Ask the provider")
		c.Press("enter").Wait(time.Second).Sees("money was received: 1,000.00").Press("c").Sees("Money was received. Ask the provider")
	}, consoletest.WithSandbox(manual))
}

// byChannel requests a payment through a channel, up to the question.
func byChannel(c *consoletest.Console, amount, currency, channel string) {
	c.T.Helper()
	c.Sees("paydesk ▸ Home ").Press("c").Choose("Currency", currency).Fill("Amount", amount).Press("enter").Sees("These channels accept")
	c.Pick(channel).Press("enter")
	customer(c.Person)
}

func TestAPaymentFromAnAccountHasItsOwnSteps(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		byChannel(c, "12.50", "GBP", "Account")
		c.WaitsUntilGone("Card number", "── 4 Card", "Transfer").Fill("Return URL", "https://shop.example/done").Press("ctrl+s")
		c.Sees("PayByAccount", "https://shop.example/done").Yes("Request 12.50 GBP by account?")
		c.Sees("opens this URL and approves the payment", "● Bank").WaitsUntilGone("Card", "Transfer").Golden("channels/account")
		c.Sandbox.Approve(reference(c))
		c.Press("enter").Wait(time.Minute).Sees("SUCCESSFUL", "Account").WaitsUntilGone("Transfer")
	})
}

func TestARequestOfInteracGoesToTheAddressThatWasGiven(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		byChannel(c, "12.50", "CAD", "Interac")
		c.Fill("Interac e-mail", "till@shop.example").Press("ctrl+s").Sees("till@shop.example", "ada@example.org")
		c.Yes("Request 12.50 CAD by Interac?")
		c.Sees("Interac sends the customer a request by", "● Approval").WaitsUntilGone("Card", "Transfer").Golden("channels/interac")
		ref := reference(c)
		c.Press("s").Sees("The customer must approve the payment: press a.").Press("a").Sees("Approval").Press("esc")
		c.Sandbox.Approve(ref)
		c.Wait(time.Minute).Sees("SUCCESSFUL")
	})
}

// A payment that was made elsewhere is looked up, checked at its bank, and finalized once.
func TestAPaymentOfAnotherConsoleIsCheckedAndFinalized(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		createLink(c, "Chairs", "once", "GBP", "120.00")
		payLink(c, "challenge")
		c.Yes("Charge 120.00 GBP")
		ref := reference(c)
		other := c.Elsewhere()
		other.Press("l").Type(ref).Press("enter").Sees("INITIATED", "ask about its bank check: press a.")
		other.Press("a").Sees("made elsewhere", "Needed       yes", "o serves it once").Golden("channels/elsewhere")
		c.Sandbox.Approve(ref)
		other.Wait(time.Second).Press("enter").Sees("PENDING").Press("f").Yes("Finalize " + ref + "?").Sees("completed")
		other.Wait(time.Second).Press("enter").Wait(2 * time.Minute).Sees("SUCCESSFUL")
		other.Press("a").Sees("there is nothing to authenticate")
		if n := c.Wire.PostsTo("/pay/finalize"); n != 1 {
			t.Errorf("finalized %d times", n)
		}
	}, consoletest.WithSandbox(func(o *sandbox.Options) { o.Settle = time.Minute }))
}
