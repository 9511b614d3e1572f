package api

import "context"

// A Finalization is the answer to finalize (2.11). It is never the final status
// of a payment: the status answer is (R48).
type Finalization struct {
	Status  Text // e.g. completed
	Message Text
	Code    Text // 00 on success
}

// Finalize says that the customer's part is complete (endpoint 5), once.
func (c *Client) Finalize(ctx context.Context, r Reference) (Finalization, error) {
	panic("contract")
}
