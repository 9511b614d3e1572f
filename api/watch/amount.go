package watch

import (
	"paydesk/api"
	"paydesk/api/money"
)

// An Amount is the amount that the service last reported for a payment.
type Amount struct {
	Reported money.Amount
	Has      bool     // the service reported a readable amount
	Text     api.Text // the reported amount, when it cannot be read
}
