package api

import "context"

// A Finalization is the answer to finalize (2.11). It is never the final status
// of a payment: the status answer is (R48).
type Finalization struct {
	Status  Text // e.g. completed
	Message Text
	Code    Text // 00 on success
}

// Finalize says that the customer's part is complete (endpoint 5), once. The errors
// are [*Refusal], [*Unresolved] and [*Failure].
func (c *Client) Finalize(ctx context.Context, r Reference) (Finalization, error) {
	r, err := ParseReference(string(r))
	if err != nil {
		return Finalization{}, notSent("this is not a reference")
	}
	body, err := encode(finalizeBody{r}, "")
	if err != nil {
		return Finalization{}, notSent("the reference cannot be written as JSON")
	}
	e, err := writeOutcome(c.post(ctx, request{origin: c.base, path: "/api/payment/pay/finalize", body: body, limit: smallBody}))
	if err != nil {
		return Finalization{}, err
	}
	return Finalization{
		Status:  e.payload.field("status").displayASCII(),
		Message: firstText(e.payload.field("message"), e.top.field("message")),
		Code:    e.code(),
	}, nil
}

// finalizeBody is the request of 2.11.
type finalizeBody struct {
	Reference Reference `json:"paymentReference"`
}
