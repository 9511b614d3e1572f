package screens_test

import (
	"fmt"
	"os"
	"path/filepath"
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
	"paydesk/screens/nav"
)

// pay goes through the card step's stages with a test card, up to the question.
func pay(c *consoletest.Console, amount, currency, card string) {
	c.T.Helper()
	toCard(c.Person, amount, currency)
	pick(c.Person, card)
	if currency == "GBP" {
		c.Fill("Return URL", "https://shop.example/done")
	}
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
		c.Sees("12.50 GBP, sent as 12.5", "•••• 1019", "SANDBOX").Golden("card/review")
		c.Yes("Charge 12.50 GBP to •••• 1019?")
		c.Sees("The customer opens this URL", "redirect=true").Golden("card/challenge")
		ref := reference(c)

		c.Press("tab").Sees("redirect=false").Press("tab")
		c.Press("a").Sees("Needed       yes", "PROCEED").Golden("card/check")

		if !c.Sandbox.Approve(ref) {
			t.Fatal("the bank could not approve")
		}
		c.Press("enter").Sees(ref, "PENDING")
		c.Wait(30*time.Second).Sees("SUCCESSFUL", "Provide the goods or service").Golden("card/successful")
		if c.Bells() != 1 {
			t.Errorf("the bell rang %d times", c.Bells())
		}
		if c.Sandbox.Accepted() != 1 {
			t.Errorf("the service took %d payments", c.Sandbox.Accepted())
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
		"rejected":  {(*sandbox.Sandbox).Reject, "FAILED", "○ Bank"},
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
		if c.Sandbox.Accepted() != 1 {
			t.Errorf("the service took %d payments", c.Sandbox.Accepted())
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
		if n := c.Wire.PostsTo("/pay/initiate"); n != 1 || c.Sandbox.Accepted() != 1 {
			t.Errorf("%d sent, %d taken", n, c.Sandbox.Accepted())
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

// byChannel requests a payment through a channel, up to the question.
func byChannel(c *consoletest.Console, amount, currency, channel string) {
	c.T.Helper()
	c.Sees("Menu").Press("c").Choose("Currency", currency).Fill("Amount", amount).Press("enter").Sees("These channels accept")
	c.Pick(channel).Press("enter")
	customer(c.Person)
}

func TestAPaymentFromAnAccountHasItsOwnSteps(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		byChannel(c, "12.50", "GBP", "Pay by account")
		c.WaitsUntilGone("Card number", "── 4 Card", "Transfer").Fill("Return URL", "https://shop.example/done").Press("ctrl+s")
		c.Sees("PayByAccount", "https://shop.example/done").Yes("Request 12.50 GBP by PayByAccount?")
		c.Sees("opens this URL and approves the payment", "● Bank").WaitsUntilGone("Card", "Transfer").Golden("channels/account")
		c.Sandbox.Approve(reference(c))
		c.Press("enter").Wait(time.Minute).Sees("SUCCESSFUL", "PayByAccount").WaitsUntilGone("Transfer")
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

// transfer asks for a transfer and stands on its account.
func transfer(c *consoletest.Console) {
	c.T.Helper()
	c.Press("c").Choose("Currency", "NGN").Fill("Amount", "1,500").Press("enter")
	c.Sees("PayByTransfer").Press("down", "enter")
	customer(c.Person)
	c.WaitsUntilGone("Card number", "CVV").Press("ctrl+s")
	c.Sees("1,500.00 NGN, sent as 1500").Yes("1,500.00 NGN")
	c.Sees("Account", "in ")
}

func manual(o *sandbox.Options) { o.ManualTransfers = true }

// asleep is most of the half hour of an account.
const asleep = 29 * time.Minute

// expires lets an account expire: most of its time passes while the machine sleeps, which draws no second of it.
func expires(c *consoletest.Console) *consoletest.Console {
	c.T.Helper()
	c.Sandbox.Forward(asleep)
	return c.Sleep(asleep).Wait(2 * time.Minute)
}

func TestATransferIsPaidAndSettles(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		transfer(c)
		c.Golden("transfer/account")
		ref := reference(c)
		c.Press("y").Sees("sent to your terminal's clipboard")
		if len(c.Copied()) != 10 {
			t.Errorf("copied %q", c.Copied())
		}
		before := c.Line("in ")
		if c.Wait(5 * time.Second); c.Line("in ") == before {
			t.Error("the countdown stands still")
		}
		c.Press("enter").Wait(1500*time.Millisecond).Sees("◌ PENDING", "may not have paid yet", "in 29:").WaitsUntilGone("authorised", "✓ Transfer", "f finalize").Golden("transfer/waiting")
		if !c.Sandbox.Settle(ref) {
			t.Fatal("the transfer could not be settled")
		}
		c.Wait(time.Minute).Sees("SUCCESSFUL", "1,500.00 NGN").Golden("transfer/settled")
	}, consoletest.WithSandbox(manual))
}

func TestATransferThatExpiresSaysSoAndIsStillAsked(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		transfer(c)
		expires(c).Sees("expired", "collect again for a new account").WaitsUntilGone("FAILED", "copy account").Golden("transfer/expired")
		if c.Press("y").Sees("The account has expired"); c.Copied() != "" {
			t.Errorf("copied %q", c.Copied())
		}
		c.Press("enter").Wait(time.Minute).Sees("FAILED", "The full amount was not confirmed", "no longer to be paid into")
		c.WaitsUntilGone("SUCCESSFUL", "charge was rejected", "account to pay into")
	}, consoletest.WithSandbox(manual))
}

// No screen offers the account of a transfer that expired, in the same run or the next, though the
// service still says that the customer must pay.
func TestAnAccountThatExpiredIsOfferedNowhere(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Wire.Rewrite(replacing("", `"(PENDING|FAILED)"`, `"REQUIRE_USER_OFFLINE_ACTION"`))
		transfer(c)
		c.Press("enter").Wait(time.Second).Sees("▲ CUSTOMER MUST PAY", "a account to pay into").Press("f").Sees("The customer must make the transfer first")
		expires(c).Sees("▲ ACCOUNT EXPIRED", ", expired at", "Do not use this account now").WaitsUntilGone("account to pay into", "press a for the account")
		for _, run := range []*consoletest.Console{c, c.Again().Sleep(asleep)} {
			for range 3 {
				run.Press("esc")
			}
			run.Wait(time.Second).Sees("▲ ACCOUNT EXPIRED").WaitsUntilGone("MUST PAY")
			run.Press("enter").Wait(time.Second).Sees(", expired at", "not use this account now").WaitsUntilGone("copy account", "account to pay into")
			run.Press("esc").Press("3").Wait(time.Second).Sees("▲ ACCOUNT EXPIRED").WaitsUntilGone("MUST PAY")
			run.Press("enter").Wait(time.Second).Sees("▲ ACCOUNT EXPIRED", "Pay into", ", expired at", "not use this account now")
		}
	}, consoletest.WithSandbox(manual))
}

// declined makes a payment that fails, and stands on its status.
func declined(c *consoletest.Console) {
	c.T.Helper()
	pay(c, "40.00", "GBP", "decline")
	c.Yes("Charge 40.00 GBP to •••• 0002?")
	c.Wait(time.Minute).Sees("FAILED", "Collect it with another card or channel: press c.")
}

// collectedAgain is what stands on the screen where a declined payment of a known customer is collected
// again: at its channel, with nothing of its card.
func collectedAgain(c *consoletest.Console, channel string) {
	c.T.Helper()
	c.Sees("These channels accept 40.00 GBP").Pick(channel).Press("enter")
	c.Sees("Ada", "Obi", "ada@example.org", "+44 20 7946 0000").Press("ctrl+s")
	c.WaitsUntilGone("0002")
}

// The customer is known while the console runs. The journal, which is all there is after a restart, has none, and of a
// payment that was made elsewhere there is only its amount.
func TestADeclinedPaymentIsCollectedByAnotherCard(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		declined(c)
		again, other := c.Again(), c.Elsewhere()
		again.Press("3").Sees("FAILED").Press("c")
		again.Sees("Filled in from the earlier payment: amount.", "These channels accept 40.00 GBP").Press("enter").WaitsUntilGone("Ada", "ada@example.org").Golden("again/restart")
		other.Press("l").Type(string(attempts(c)[0].Reference)).Press("enter").Sees("FAILED", "press c").Press("c")
		other.Sees("Filled in from the earlier payment: amount.", "These channels accept 40.00 GBP").Press("enter").WaitsUntilGone("Ada")

		c.Press("c").Sees("Filled in from the earlier payment: amount, customer.").Golden("again/channels")
		collectedAgain(c, "Card")
		c.Sees("Card number", "https://shop.example/done").WaitsUntilGone("••••").Golden("again/card")
		pick(c.Person, "approve")
		c.Press("ctrl+s").Yes("Charge 40.00 GBP to •••• 4242?").WaitsUntilGone("duplicate").Wait(time.Minute).Sees("SUCCESSFUL", "40.00 GBP")
		c.Press("c").Sees("Only a payment that failed can be collected again.")
		if n := c.Wire.PostsTo("/pay/initiate"); n != 2 {
			t.Errorf("sent %d times", n)
		}
	})
}

func TestACustomerIsFilledInOnlyWhereNoRealMoneyMoves(t *testing.T) {
	toCustomer := func(c *consoletest.Console) {
		c.Sees("Menu").Press("c").Choose("Currency", "NGN").Fill("Amount", "1,500").Press("enter").Sees("PayByTransfer").Press("down", "enter").Sees("First name")
	}
	consoletest.Run(t, func(c *consoletest.Console) {
		toCustomer(c)
		c.Type("Typed").Press("ctrl+t").Sees("test.customer@example.com", "All four fields now have the test customer.").WaitsUntilGone("Typed").Golden("again/customer")
		c.Press("esc", "esc", "ctrl+x", "esc")
		pay(c, "12.50", "GBP", "approve")
		c.Yes("Charge 12.50 GBP").Wait(time.Minute).Press("esc")
		toCustomer(c)
		c.Press("ctrl+t").Sees("ada@example.org", "+44 20 7946 0000", "the customer of the last payment").Press("ctrl+t").Sees("test.customer@example.com").WaitsUntilGone("Ada")
		c.Press("ctrl+s", "ctrl+s").Yes("1,500.00 NGN").Sees("Account")
	}, consoletest.WithSandbox(manual))
	consoletest.Run(t, func(c *consoletest.Console) {
		unlocked(c)
		toCustomer(c)
		c.WaitsUntilGone("fill in").Press("ctrl+t").WaitsUntilGone("test.customer")
	}, consoletest.Live(), consoletest.As(func(p *keystore.Profile) { p.AllowCardEntry = true }))
}

// acknowledged reads what disagrees and types the word.
func acknowledged(c *consoletest.Console) {
	c.T.Helper()
	c.Press("ctrl+l").Sees("ENVIRONMENT MISMATCH", "Type live").Slowly("live").Press("right").Wait(time.Second)
	c.Press("enter").Wait(time.Second)
	c.WaitsUntilGone("ENVIRONMENT MISMATCH")
}

// stopped tries every road there is to send by, and none of them sends.
func stopped(c *consoletest.Console) {
	c.T.Helper()
	before := len(c.Wire.Posts())
	c.Sees("ENVIRONMENT MISMATCH: sending is disabled")
	linked(c)
	c.Sees("ENVIRONMENT MISMATCH", "Create the link").Slowly("120.00").Press("right").Wait(time.Second)
	c.Press("enter").Wait(time.Second).Sees("It is unclear whether this is test or live")
	c.Press("esc", "ctrl+x", "esc").Press("c").Fill("Amount", "12.50").Press("enter").Wait(time.Second)
	c.Sees("It is unclear whether this is test or live", "Press ctrl+l to see why").Press("esc", "esc")
	c.Send(nav.Push{To: nav.Finalize{Reference: "ref-1"}})
	c.Wait(0)
	c.Sees("Finalize ref-1?").Slowly("finalize").Press("right").Wait(time.Second)
	c.Press("enter").Wait(time.Second).Sees("It is unclear whether this is test or live").Press("esc")
	if n := len(c.Wire.Posts()); n != before {
		c.T.Errorf("%d were posted", n-before)
	}
}

func TestAMismatchStopsEverySendingUntilItWasSeen(t *testing.T) {
	test := func(p *keystore.Profile) { p.Name, p.Environment = "shop", keystore.Test }
	for name, options := range map[string][]consoletest.Option{
		"a live key in a test profile": {consoletest.As(test), consoletest.WithKey(consoletest.LiveKey)},
		"a live host in a test profile": {consoletest.As(test), consoletest.As(func(p *keystore.Profile) {
			p.BaseURL, p.ListURL = "https://live.payments.example", "https://live.payments.example"
		})},
	} {
		t.Run(name, func(t *testing.T) {
			consoletest.Run(t, func(c *consoletest.Console) {
				stopped(c)
				acknowledged(c)
				c.Sees("Sending is locked · ctrl+l unlocks · environment unclear") // for it may be live
				unlocked(c)
				linked(c)
				c.Slowly("120.00").Press("right").Wait(time.Second).Press("enter").Wait(time.Second)
				if n := c.Wire.PostsTo("/payment-link"); n != 1 {
					t.Errorf("%d links were made\n%s", n, c.Boxed())
				}
			}, options...)
		})
	}
}

func TestALinkOfAnotherEnvironmentStopsWhatComesAfterIt(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		confirmed(c, "test")
		linked(c)
		c.Wait(time.Second).Sees("ENVIRONMENT MISMATCH", `its environment as "Live"`).Golden("lock/link-elsewhere")
		c.Press("esc")
		stopped(c)
		acknowledged(c)
	}, consoletest.As(func(p *keystore.Profile) { p.Name, p.Environment = "shop", keystore.Test }),
		consoletest.WithSandbox(func(o *sandbox.Options) { o.Environment = "Live" }), consoletest.WithKey(unknownKey))
}

func TestAMismatchSaysWhoSaysWhatAndWhatToCheck(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Sees("ENVIRONMENT MISMATCH: sending is disabled").Golden("lock/mismatch")
		c.Press("ctrl+l").Sees("The profile declares", "The key prefix is for", "Check the key", "Type live").Golden("lock/mismatch-why")
		c.Press("f1").Sees("ENVIRONMENT MISMATCH").Press("f1")
		for _, typed := range []string{"test", "LIVE", ""} {
			c.Slowly(typed).Press("right").Wait(time.Second).Press("enter").Wait(time.Second).Sees("Type live exactly as shown")
			c.Press("esc").Sees("ENVIRONMENT MISMATCH: sending is disabled").Press("ctrl+l")
		}
	}, consoletest.As(func(p *keystore.Profile) { p.Environment = keystore.Test }), consoletest.WithKey(consoletest.LiveKey))
}

const unknownKey = "keyWithoutAPrefix0042"

// confirmed types what a key without a known prefix is for.
func confirmed(c *consoletest.Console, environment string) {
	c.T.Helper()
	c.Sees("KEY NOT RECOGNISED: sending is disabled").Press("ctrl+l").Sees("Is this key for " + environment + "?")
	c.Slowly(environment).Press("right").Wait(time.Second).Press("enter").Wait(time.Second).WaitsUntilGone("KEY NOT RECOGNISED")
}

func TestAKeyWithoutAKnownPrefixIsConfirmedOnce(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "state")
	for _, declared := range []keystore.Environment{keystore.Test, keystore.Live} {
		profile := consoletest.As(func(p *keystore.Profile) { p.Name, p.Environment = "shop", declared })
		consoletest.Run(t, func(c *consoletest.Console) {
			c.Sees("KEY NOT RECOGNISED: sending is disabled")
			linked(c)
			c.Slowly("120.00").Press("right").Wait(time.Second).Press("enter").Wait(time.Second)
			if n := len(c.Wire.Posts()); n != 0 {
				t.Errorf("%d were posted", n)
			}
			c.Press("esc", "esc")
			confirmed(c, string(declared))
		}, profile, consoletest.WithKey(unknownKey), consoletest.Confirmed(folder))
		consoletest.Run(t, func(c *consoletest.Console) { // at the next start
			c.Sees("Menu").WaitsUntilGone("KEY NOT RECOGNISED")
		}, profile, consoletest.WithKey(unknownKey), consoletest.Confirmed(folder))
		consoletest.Run(t, func(c *consoletest.Console) { // another key is not this one
			c.Sees("KEY NOT RECOGNISED")
		}, profile, consoletest.WithKey(unknownKey+"3"), consoletest.Confirmed(folder))
	}
	b, err := os.ReadFile(filepath.Join(folder, "confirmed.json"))
	if err != nil || strings.Contains(string(b), unknownKey) || strings.Count(string(b), "fingerprints") != 1 {
		t.Errorf("%s, %v", b, err)
	}
}

func TestAKeyWithoutAKnownPrefixSaysWhatIsAsked(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Press("ctrl+l").Sees("KEY NOT RECOGNISED", "proves nothing", "Type test to continue").Golden("lock/unknown-key")
		c.Wait(time.Second).Press("right").Wait(time.Second).Press("enter").Wait(time.Second).Sees("Type test exactly as shown")
		c.Press("esc").Sees("KEY NOT RECOGNISED: sending is disabled")
	}, consoletest.As(func(p *keystore.Profile) { p.Environment = keystore.Test }), consoletest.WithKey(unknownKey))
}
