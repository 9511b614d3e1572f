package payment

import (
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

func TestAnExpiredAccountIsNotOfferedWhateverTheStatus(t *testing.T) {
	for word, heading := range map[string]string{"PENDING": "◌ PENDING", "REQUIRE_USER_OFFLINE_ACTION": "▲ ACCOUNT EXPIRED"} {
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
