package api

import "context"

// A Finalization is the response to finalize (2.11). It is never the final status of a payment:
// only the status endpoint reports that.
type Finalization struct {
	Status  Text // e.g. completed
	Message Text
	Code    Text // 00 on success
}

// Finalize tells the service that the customer's part is complete (endpoint 5), once. Its errors
// are [*Refusal], [*Unresolved] and [*Failure].
func (c *Client) Finalize(ctx context.Context, r Reference) (Finalization, error) {
	r, err := ParseReference(string(r))
	if err != nil {
		return Finalization{}, notSent("this is not a payment reference")
	}
	e, err := c.write(ctx, "/api/payment/pay/finalize", map[string]Reference{"paymentReference": r})
	if err != nil {
		return Finalization{}, err
	}
	return Finalization{
		Status:  e.payload.field("status").displayASCII(),
		Message: firstText(e.payload.field("message"), e.top.field("message")),
		Code:    e.code(),
	}, nil
}
