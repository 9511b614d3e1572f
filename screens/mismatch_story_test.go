package screens_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/screens/consoletest"
)

// replacing rewrites what a pattern finds in the responses to requests of paths that end so.
func replacing(end, pattern, with string) consoletest.Rewrite {
	find := regexp.MustCompile(pattern)
	return func(path string, status int, body []byte) (int, []byte) {
		if end != "" && strings.HasSuffix(path, end) || end == "" && strings.Contains(path, "/transactions/") {
			body = find.ReplaceAll(body, []byte(with))
		}
		return status, body
	}
}

// What the service answers about a payment of 12.50 GBP is another amount: that is never a success,
// in this run or the next, until a person decides, and then it is no success either.
func TestAnotherAmountIsAMismatchInEveryRunUntilSomebodyDecides(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Wire.Rewrite(replacing("", `"amount":12\.50`, `"amount":1250.00`))
		pay(c, "12.50", "GBP", "approve")
		c.Yes("Charge 12.50 GBP").Wait(time.Minute)
		c.Sees("≠ MISMATCH▌", "Amount       12.50 GBP   ≠ 1,250.00 GBP", "100 times too", " · MISMATCH   ")
		c.WaitsUntilGone("✓ SUCCESSFUL", "Provide the goods").Golden("mismatch/payment")
		c.Wire.Rewrite(nil)

		again := c.Again()
		again.Sees("1 mismatch", "≠ MISMATCH", "12.50 GBP").WaitsUntilGone("No payment needs attention", "✓").Golden("mismatch/home")
		again.Press("enter").Wait(time.Second).Sees("≠ MISMATCH", "≠ 1,250.00 GBP        12.50 GBP")
		again.Press("a").WaitsUntilGone("✓ SUCCESSFUL")
		again.Press("d").Sees("≠ MISMATCH", "answer is right", "what the service answers was charged", "The answer of ", " matches 12.50 GBP").Golden("mismatch/decide")
		again.Press("esc").Wait(time.Second).Sees("Payment ", "≠ MISMATCH", "d decide").WaitsUntilGone("Attempt")
		decide(again, "answer is right").Yes("Record that the service's answer is right?").Wait(time.Second)
		again.Sees("Decided      answer is right", "ada").WaitsUntilGone("✓ SUCCESSFUL")
		again.Press("esc").Wait(time.Second).Sees("Decided      answer is right").WaitsUntilGone("✓ SUCCESSFUL", "Provide the goods")
		again.Press("esc").Wait(time.Second).Sees("No payment needs attention").WaitsUntilGone("✓ SUCCESSFUL")

		third := c.Again()
		third.Sees("Settled today").WaitsUntilGone("Needs you", "Under way").Press("3").Wait(time.Second).WaitsUntilGone("✓").Press("enter").Wait(time.Second)
		third.Sees("answer is right", "never counts as paid").WaitsUntilGone("✓")
		third.Sees("Attempt").Press("u").Yes("Take the decision back?").Wait(time.Second).Sees("≠ MISMATCH", "≠ SUCCESSFUL", "mismatch decision taken back").Golden("mismatch/attempt")
		c.Again().Sees("1 mismatch")

		decide(third, "as asked").Yes("Record that 12.50 GBP was charged, as asked?").Wait(time.Second)
		third.Sees("Decided      charged as asked", "ada").WaitsUntilGone("✓ SUCCESSFUL")
		c.Again().Sees("Settled today").WaitsUntilGone("1 mismatch", "✓")
	})
}

func TestASecondPaymentUnderTheSameReferenceIsUnresolved(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		pay(c, "12.50", "GBP", "approve")
		c.Yes("Charge 12.50 GBP").Wait(time.Minute).Sees("✓ SUCCESSFUL")
		ref := reference(c)
		again := c.Again()
		c.Wire.Rewrite(replacing("/pay/initiate", `eference":"[^"]*"`, `eference":"`+ref+`"`))
		pay(again, "99.00", "GBP", "challenge")
		again.Yes("Charge 99.00 GBP").Wait(time.Second)
		first := attempts(c)[1]
		again.Sees("? UNRESOLVED", "Answer says  "+ref, string(first.ID)).WaitsUntilGone("✓").Golden("mismatch/taken")
		if a := attempts(c)[0]; !a.IsUnresolved() || a.Reference != "" || first.Status.State != api.Successful || !first.Mismatch.IsZero() {
			t.Errorf("%+v", a)
		}
		c.Again().Sees("1 unresolved")
	})
}

// Success in the answer to an initiation is only claimed, and checked at once.
func TestAClaimOfSuccessIsCheckedAtOnce(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Wire.Rewrite(replacing("/pay/initiate", `"paymentStatus":"[A-Z]*"`, `"paymentStatus":"SUCCESSFUL"`))
		pay(c, "12.50", "GBP", "challenge")
		c.Wire.Slow(5 * time.Second)
		c.Yes("Charge 12.50 GBP").Wait(6*time.Second).Sees("◌ Initial response: SUCCESSFUL", "only a status").WaitsUntilGone("✓ S", "Provide")
		c.Wait(6*time.Second).Sees("▲ INITIATED", "◌ Initial response: SUCCESSFUL").WaitsUntilGone("✓ S")
		c.Again().Sees("1 to act on").WaitsUntilGone("✓ S")
	})
}

func TestARefusalThatNamesAPaymentIsUnresolvedAndOffersIt(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Wire.Rewrite(replacing("/pay/initiate", `"isSuccess":true`, `"isSuccess":false`))
		pay(c, "12.50", "GBP", "approve")
		c.Yes("Charge 12.50 GBP").Wait(time.Second)
		named := attempts(c)[0].Named
		c.Sees("? UNRESOLVED", "Answer says  "+named).WaitsUntilGone("Nothing was done")
		decide(c, "found as…").Sees(named).Press("ctrl+s").Wait(time.Second).Yes("Record that it was found as " + named + "?").Wait(time.Minute)
		c.Sees("▐✓ SUCCESSFUL▌  Card ••••")
		if a := attempts(c)[0]; string(a.Reference) != named || a.Decision != ledger.Found {
			t.Errorf("%+v", a)
		}
	})
}

// A failure that another answer contradicts is no reason to charge again unasked.
func TestAContradictedFailureStopsTheSameCharge(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Wire.Rewrite(replacing("", `"paymentStatus":"[A-Za-z]*"`, `"paymentStatus":"FAILED"`))
		pay(c, "12.50", "GBP", "approve")
		c.Yes("Charge 12.50 GBP").Wait(time.Second).Sees("FAILED")
		c.Wire.Rewrite(replacing("", `"paymentStatus":"[A-Za-z]*"`, `"paymentStatus":"SUCCESSFUL"`))
		c.Press("r").Wait(time.Second).Sees("≠ MISMATCH", "FAILED was followed by SUCCESSFUL", "charge nothing")
		again := c.Again()
		pay(again, "12.50", "GBP", "approve")
		again.Yes("Charge 12.50 GBP").Wait(time.Second)
		again.Sees("Nothing was sent: this looks like a duplicate.", "MISMATCH", "same card")
		if n := c.Wire.PostsTo("/pay/initiate"); n != 1 {
			t.Errorf("%d charges were sent", n)
		}
	})
}

func TestASuccessOfAnEarlierRunIsContradictedInTheOpen(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		pay(c, "12.50", "GBP", "approve")
		c.Yes("Charge 12.50 GBP").Wait(time.Minute).Sees("✓ SUCCESSFUL")
		ref := reference(c)
		c.Wire.Rewrite(replacing("", `"Successfull"`, `"FAILED"`))
		c.Again().Press("l").Fill("Reference", ref).Press("enter").Wait(time.Second).
			Sees("≠ MISMATCH", "SUCCESSFUL was followed by FAILED", "d decide").WaitsUntilGone("✓ SUCCESSFUL", "Ask the customer for another")
		c.Again().Sees("1 mismatch")
	})
}

// Who sees a mismatch can decide about it, whether or not the status can be checked.
func TestAMismatchIsDecidedAlthoughTheCheckFails(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Wire.Rewrite(func(path string, status int, body []byte) (int, []byte) {
			if strings.Contains(path, "/transactions/") {
				return 503, []byte(`{}`)
			}
			return replacing("/pay/initiate", `"amount":12\.50`, `"amount":14.00,"currency":"USD"`)(path, status, body)
		})
		pay(c, "12.50", "GBP", "approve")
		c.Yes("Charge 12.50 GBP").Wait(time.Second).Sees("≠ MISMATCH", "14.00 USD").WaitsUntilGone("14.00 GBP")
		c.Press("s").Wait(time.Second).Sees("14.00 USD").WaitsUntilGone("14.00 GBP", "fees")
		c.Press("d").WaitsUntilGone("Decisions are kept").Sees("Decide", "answer is right")
		c.Again().Sees("1 mismatch", "≠ MISMATCH")
	})
}

// A right answer after a wrong one is quoted with its time and no more than it says. One after it may have no amount.
func TestAnAnswerThatAgreesAgainIsQuotedForWhatItSays(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Wire.Rewrite(replacing("", `"amount":12\.50`, `"amount":1250.00`))
		pay(c, "12.50", "GBP", "pending-long")
		c.Yes("Charge 12.50 GBP").Wait(5*time.Second).Sees("≠ MISMATCH", "≠ 1,250.00 GBP").WaitsUntilGone("The answer of")
		c.Wire.Rewrite(nil)
		c.Press("r").Wait(time.Second).Sees("≠ 1,250.00 GBP        12.50 GBP").WaitsUntilGone("states no amount")
		c.Wire.Rewrite(replacing("", `"amount":\{[^}]*\},`, ``))
		c.Press("r").Wait(time.Minute).Sees("The answer of 2000-01-01 00:00:", " matches 12.50 GBP, fees", "The latest answer states no amount.")
		c.Wire.Rewrite(replacing("", `"amount":12\.50`, `"amount":1300.00`)) // the column has what differs in both
		c.Press("r").Wait(time.Minute).Sees("answered         now")
		c.Press("1").Wait(time.Second).Sees("Requested 12.50 GBP, but the service reported 1,300.00 GBP")
	})
}

// Whoever pays more than was asked is charged it. Nothing is handed to the customer before a person has decided.
func TestNothingToPayWithIsOfferedInAMismatch(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		transfer(c)
		number := strings.Fields(c.Line("Account"))[1]
		c.Wire.Rewrite(replacing("", `"amount":1500(\.00)?`, `"amount":150000.00`))
		c.Wait(time.Second).Press("enter").Wait(time.Second).Sees("≠ MISMATCH", "Pay into     "+number+", do not use: mismatch").WaitsUntilGone("expires", "account to pay into")
		c.Press("a").Sees("≠ MISMATCH", "do not use").WaitsUntilGone("y copy account")
		if c.Press("y").Sees("Do not use this account now", "decide about it first"); c.Copied() != "" {
			t.Errorf("copied %q", c.Copied())
		}
		decide(c.Press("v", "esc").Press("enter").Wait(time.Second), "answer is right").Yes("answer is right").Wait(time.Second).Press("esc").Wait(time.Second)
		c.Press("a").Sees("y copy account", "in 29:")
	}, consoletest.WithSandbox(manual))
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Wire.Rewrite(replacing("/pay/initiate", `"amount":12\.50`, `"amount":1250.00`))
		pay(c, "12.50", "GBP", "challenge")
		c.Yes("Charge 12.50 GBP").Wait(time.Second).Press("s").Wait(time.Second).Sees("d decide").WaitsUntilGone("must complete the bank check")
		c.Press("a").Sees("≠ MISMATCH", "should authorise nothing now").WaitsUntilGone("redirect=true", "y copy", "QR code")
		decide(c.Press("s").Wait(time.Second), "answer is right").Yes("answer is right").Wait(time.Second).Press("esc").Wait(time.Second)
		c.Press("a").Sees("redirect=true", "y copy")
	})
}

// arrives stores a webhook about a payment, as a receiver does.
func arrives(c *consoletest.Console, ref, status, amount string) {
	c.T.Helper()
	body := fmt.Sprintf(`{"event":"payment.%s","data":{"reference":"%s","status":"%s","amount":%s,"currency":"GBP"}}`,
		map[string]string{"SUCCESSFUL": "success", "FAILED": "failed"}[status], ref, status, amount)
	if _, err := c.Events.Keep(c.T.Context(), "demo", http.Header{"Content-Type": {"application/json"}}, []byte(body)); err != nil {
		c.T.Fatal(err)
	}
}

func TestAWebhookIsComparedWithWhatTheServiceSays(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Sees("5 Inbox", "webhooks that arrived").Press("5").Wait(time.Second).Sees("No webhook has arrived yet").Golden("inbox/empty")
		c.Press("1")
		pay(c, "12.50", "GBP", "approve")
		c.Yes("Charge 12.50 GBP").Wait(time.Minute).Sees("✓ SUCCESSFUL")
		ref := reference(c)
		arrives(c, ref, "SUCCESSFUL", "12.5")
		c.Press("5").Wait(5*time.Second).Sees("1 event", "agrees", ref, "Service      ✓ SUCCESSFUL 12.50 GBP", "event (unverified): SUCCESSFUL 12.50 GBP").Golden("inbox/agrees")
		c.Press("s").Sees("Payment "+ref).Press("esc").Sees("Inbox", "agrees")
		c.Press("h").Wait(time.Second).Sees("Attempt").Press("esc").Sees("Inbox", "agrees")

		arrives(c, ref, "FAILED", "99.5")
		c.Wait(5*time.Second).Sees("2 events", "1 disagrees", "paused, 1 new")
		if at := c.Marked(); !strings.Contains(at, "agrees ") || strings.Contains(at, "disagrees") {
			t.Errorf("the mark went to %q", at)
		}
		c.Press("space").Wait(time.Second).Sees("✗ disagrees")
		c.Press("enter").Sees("✗ status, amount", "FAILED", "✓ SUCCESSFUL", "99.50 GBP").Golden("inbox/disagrees").Press("esc")
		c.Press("1").Wait(2 * time.Second).Sees("1 event disagrees").Golden("inbox/home")
		c.Press("home").Wait(time.Second).Press("enter").Wait(2*time.Second).Sees("1 of 2 events: verdict:disagrees", "✗ disagrees").WaitsUntilGone(" agrees")
		c.Press("esc").Sees("Home", "1 event disagrees")
		c.Press("l").Type(ref).Press("enter").Wait(2 * time.Second).Sees("Payment " + ref).Press("h").Wait(2 * time.Second).Sees("2 of 2 events: reference:\"" + ref + `"`)
		c.Press("esc").Sees("Payment " + ref)

		c.Wire.Rewrite(replacing("", `"amount":12\.50`, `"amount":1250.00`))
		arrives(c, ref, "SUCCESSFUL", "1250")
		c.Press("esc", "esc", "5").Wait(20*time.Second).Sees("≠ MISMATCH   ", "never counts as paid here").WaitsUntilGone("✓ SUCCESSFUL")
	}, consoletest.Inbox())
}

func TestAForgedWebhookIsOfNoPayment(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		arrives(c, "NOSUCHPAY1", "SUCCESSFUL", "1000000")
		c.Wait(10*time.Second).Sees("Home").WaitsUntilGone("disagree").Press("5").Wait(5*time.Second).
			Sees("unknown", "NOSUCHPAY1", "The service has no such payment", "Anyone who knows the URL can post a").WaitsUntilGone("✓")
	}, consoletest.Inbox())
}
