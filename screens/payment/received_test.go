package payment

import (
	"testing"
	"time"

	"paydesk/api"
)

// received answers with a received amount beside the amount of 12.50 GBP.
func received(word, paid, code string) *script {
	return &script{answer: func(int) (api.PaymentStatus, error) {
		t := transaction(word, "12.50")
		t.Received = amount(paid, code)
		return t, nil
	}}
}

func TestASuccessThatBroughtLessIsNone(t *testing.T) {
	for _, s := range map[string]*script{"less": received("SUCCESSFUL", "5.00", "GBP"), "another currency": received("SUCCESSFUL", "12.50", "USD")} {
		for whose, p := range map[string]*payments{"ours": card(""), "a stranger's": {}} {
			bubble(t, func(t *testing.T) {
				c := watch80(t, s, p).WaitsUntilGone("✓ SUCCESSFUL", "Provide the goods", "Funds have been secured")
				c.Sees("≠ MISMATCH", "Provide nothing")
				if whose == "a stranger's" {
					c.Sees("The payment is for 12.50 GBP, but", "was received.")
				}
			})
		}
	}
}

func TestASuccessThatBroughtMoreSaysHowMuch(t *testing.T) {
	bubble(t, func(t *testing.T) {
		watch80(t, received("SUCCESSFUL", "15.00", "GBP"), card("")).Sees("✓ SUCCESSFUL", "15.00 of 12.50 GBP: 2.50 GBP more than asked")
	})
}

func TestAPendingTransferSaysWhatItBrought(t *testing.T) {
	for paid, words := range map[string]string{"12.50": "The full amount was received; the service has still to confirm it.", "5.00": "A part was received: 5.00 of 12.50 GBP."} {
		bubble(t, func(t *testing.T) {
			c := watch80(t, received("PENDING", paid, "GBP"), paying(30*time.Minute))
			c.Wait(time.Second).Sees("◌ PENDING", words, "Provide nothing yet").WaitsUntilGone("may not have paid yet", "Not paid yet?")
		})
	}
	bubble(t, func(t *testing.T) {
		watch80(t, received("PENDING", "12.50", "USD"), paying(30*time.Minute)).Sees("◌ PENDING", "Received    ▲ 12.50 USD")
	})
}
