package payment

import (
	"strings"
	"testing"
	"time"

	"paydesk/api"
	"paydesk/api/session"
)

// paying is a transfer into an account that expires after d.
func paying(d time.Duration) *payments {
	p := transfer(d)
	p.change(func(e *session.Entry) { e.Answer.Transfer.AccountNumber = api.Clean("9902422420") })
	return p
}

func TestAPendingTransferMayNotHaveBeenPaid(t *testing.T) {
	bubble(t, func(t *testing.T) {
		c := watch80(t, &script{answer: says("PENDING")}, paying(30*time.Minute))
		// Not just after a check: which second is drawn then depends on which of two timers of one moment comes first.
		c.Wait(6300*time.Millisecond).Sees("◌ PENDING", "may not have paid yet", "Provide nothing yet", "9902422420, expires 00:30:00, in 29:54", "Not paid yet? Press a for the account.")
		c.WaitsUntilGone("authorised", "✓ Transfer").Golden("transfer")
		c.Press("f").Sees("The customer must make the transfer first")
		c.Wait(10 * time.Second)
		before := c.Line("Pay into")
		if c.Wait(3 * time.Second); c.Line("Pay into") == before {
			t.Error("the countdown stands still")
		}
		bytes := len(c.Bytes())
		if c.Wait(time.Minute); len(c.Bytes())-bytes > 60*60 {
			t.Errorf("a minute took %d bytes", len(c.Bytes())-bytes)
		}
	})
}

func TestAnExpiredAccountIsNotOfferedWhateverTheStatus(t *testing.T) {
	for word, heading := range map[string]string{"PENDING": "◌ PENDING", "REQUIRE_USER_OFFLINE_ACTION": "▲ ACCOUNT EXPIRED", "INITIATED": "▲ INITIATED"} {
		bubble(t, func(t *testing.T) {
			c := watch80(t, &script{answer: says(word)}, paying(time.Minute))
			c.Sees("expires 00:01:00").Wait(time.Minute).Sees(heading, "✗ 9902422420, expired at 00:01:00", "The account has expired", "Do not use this account now")
			c.WaitsUntilGone("for the account", ", in 0:00")
			if word == "PENDING" {
				c.Golden("transfer-expired")
			}
		})
	}
}

func TestAFailedTransferWasNotACharge(t *testing.T) {
	bubble(t, func(t *testing.T) {
		c := watch80(t, &script{answer: says("FAILED")}, paying(time.Minute))
		c.Sees("✗ FAILED", "The full amount was not confirmed.", "if so, ask the provider", "no longer to be paid into").WaitsUntilGone("charge was rejected", "expires")
		if strings.Contains(c.Screen(), "✓ Transfer") {
			t.Error("the transfer counts as made")
		}
	})
}

// The reference says nothing of how the customer pays.
func TestAPendingPaymentFromElsewhereMayBeEither(t *testing.T) {
	bubble(t, func(t *testing.T) {
		watch80(t, &script{answer: says("PENDING")}, &payments{}).Sees("bank has not confirmed the money", "If it is a transfer")
	})
}

func TestSuccessWithoutAnAmountSaysSo(t *testing.T) {
	for name, p := range map[string]*payments{"ours": card(""), "a stranger's": {}} {
		bubble(t, func(t *testing.T) {
			s := &script{answer: func(int) (api.PaymentStatus, error) {
				return api.PaymentStatus{Reference: reference, Status: api.ParseStatus("SUCCESSFUL")}, nil
			}}
			c := watch80(t, s, p).Sees("✓ SUCCESSFUL", "Amount not stated by the service: compare it", "not stated by the service")
			if name == "ours" {
				c.Golden("no-amount")
			}
		})
	}
}

// After a contradiction the service may say what it said before: that is about the status.
func TestAContradictionThatWasTakenBackIsAboutTheStatus(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := card("")
		s := &script{answer: says("SUCCESSFUL")}
		c := watch80(t, s, p).Sees("✓ SUCCESSFUL")
		p.change(func(e *session.Entry) {
			e.Status = api.ParseStatus("SUCCESSFUL")
			e.Mismatch.Difference = api.Difference{What: api.StatusDiffers, Status: api.Clean("FAILED")}
			e.Mismatch.At, e.Mismatch.AgreesAt = start, start.Add(time.Second)
		})
		c.Press("r").Wait(time.Second).Sees("contradicted its final status SUCCESSFUL", "The answer of ", "says SUCCESSFUL again.").WaitsUntilGone("says 12.50 GBP")
	})
}
