package api

import (
	"context"

	"paydesk/api/money"
)

// A Transaction is what the service says about a payment now (2.12).
type Transaction struct {
	Reference  Reference // as asked
	Status     Status
	Amount     money.Amount
	HasAmount  bool
	AmountText Text // amount and currency as they came, when they cannot be read
}

// Transaction asks for the status of a payment (endpoint 6).
func (c *Client) Transaction(ctx context.Context, r Reference) (Transaction, error) {
	panic("contract")
}
