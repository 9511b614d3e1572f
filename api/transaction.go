package api

import (
	"context"
	"strings"

	"paydesk/api/money"
)

// A Transaction is the current status of a payment (2.12).
type Transaction struct {
	Reference  Reference // as requested
	Status     Status
	Amount     money.Amount
	HasAmount  bool
	AmountText Text // amount and currency as received, when they cannot be read
	// OtherReference is the reference in the response when it differs from the requested one: a
	// payment can also be found by our own reference.
	OtherReference Text
}

// Transaction requests the status of a payment (endpoint 6), without retries, because its callers
// poll on a schedule of their own. Its errors are [*Refusal] and [*Failure]; a refusal is also the
// response for a payment that the service does not know.
func (c *Client) Transaction(ctx context.Context, r Reference) (Transaction, error) {
	r, err := ParseReference(string(r))
	if err != nil {
		return Transaction{}, notSent("this is not a payment reference")
	}
	a, f := c.get(ctx, request{origin: c.base, path: c.status.expand(r), limit: smallBody, noRetry: true})
	e, err := readOutcome(a, f, standardEnvelope)
	if err != nil {
		return Transaction{}, err
	}
	v := e.payload
	t := Transaction{Reference: r, Status: ParseStatus(v.field("paymentStatus").redacted())}
	amount := v.field("amount")
	if t.Amount, t.HasAmount = readMoney(amount, statusAmount); !t.HasAmount {
		t.AmountText = amountText(amount)
	}
	if named := v.field("paymentReference"); !strings.EqualFold(named.plain(), string(r)) {
		t.OtherReference = CleanASCII(named.redacted())
	}
	return t, nil
}

// amountText is an unreadable amount as received.
func amountText(v *value) Text {
	if v.kind() != '{' {
		return v.displayASCII()
	}
	return CleanASCII(strings.TrimSpace(v.field("amount").redacted() + " " + v.field("currencyCode").redacted()))
}
