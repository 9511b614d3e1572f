package screens_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"paydesk/api/sandbox"
	"paydesk/keystore"
	"paydesk/screens/consoletest"
	"paydesk/screens/nav"
)

// transfer asks for a transfer and stands on its account.
func transfer(c *consoletest.Console) {
	c.T.Helper()
	c.Press("c").Choose("Currency", "NGN").Fill("Amount", "1,500").Press("enter")
	c.Sees("into an account given next").Press("down", "enter")
	customer(c.Person)
	c.WaitsUntilGone("Card number", "CVV").Press("ctrl+s")
	c.Sees("1,500.00 NGN   sent as 1500").Yes("1,500.00 NGN")
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
		c.Press("enter").Wait(time.Minute).Sees("FAILED", "The full amount was not confirmed", "no longer valid", "c collect again")
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
		expires(c).Sees("▲ ACCOUNT EXPIRED", ", expired at", "Do not use this account now").WaitsUntilGone("account to pay into", "Press a for the account")
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
		c.Press("c").Sees("Only a payment that failed, or was never made, can be collected again.")
		if n := c.Wire.PostsTo("/pay/initiate"); n != 2 {
			t.Errorf("sent %d times", n)
		}
	})
}

func TestACustomerIsFilledInOnlyWhereNoRealMoneyMoves(t *testing.T) {
	toCustomer := func(c *consoletest.Console) {
		c.Sees("paydesk ▸ Home ").Press("c").Choose("Currency", "NGN").Fill("Amount", "1,500").Press("enter").Sees("into an account given next").Press("down", "enter").Sees("First name")
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
				c.Sees("Sending is locked · ctrl+l · environment unclear") // for it may be live
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

func TestATransferThatIsLeftAloneSaysWhatBecomesOfIt(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		transfer(c)
		c.Press("f3").Sees("It is paid by", "itself at 00:00:07.").Wait(time.Minute).Sees("paid in full")
	})
}
