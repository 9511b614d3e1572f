package api

import (
	"context"
	"strings"

	"paydesk/api/money"
)

// A Transaction is what the service says about a payment now (2.12).
type Transaction struct {
	Reference  Reference // as asked
	Status     Status
	Amount     money.Amount
	HasAmount  bool
	AmountText Text // amount and currency as they came, when they cannot be read
	// Named is the reference the answer names when it is another than the one asked
	// with: a payment answers to a reference of our own, too (facts page).
	OtherReference Text
}

// Transaction asks for the status of a payment (endpoint 6), once: a payment that
// is watched is asked for on a schedule of its own (R47). Its errors are
// [*Refusal] and [*Failure]; a refusal is also the answer about a payment that the
// service does not know.
func (c *Client) Transaction(ctx context.Context, r Reference) (Transaction, error) {
	r, err := ParseReference(string(r))
	if err != nil {
		return Transaction{}, notSent("this is not a reference")
	}
	a, f := c.get(ctx, request{origin: c.base, path: c.status.expand(r), limit: smallBody, noRetry: true})
	e, err := readOutcome(a, f, standardEnvelope)
	if err != nil {
		return Transaction{}, err
	}
	v := e.payload
	t := Transaction{Reference: r, Status: ParseStatus(v.field("paymentStatus").redacted())}
	amount := v.field("amount")
	if t.Amount, t.HasAmount = readMoney(amount, statusAmount{}.read); !t.HasAmount {
		t.AmountText = amountText(amount)
	}
	if named := v.field("paymentReference"); !strings.EqualFold(named.plain(), string(r)) {
		t.OtherReference = CleanASCII(named.redacted())
	}
	return t, nil
}

// amountText is an amount that cannot be read, as it came.
func amountText(v value) Text {
	if v.kind() != '{' {
		return v.displayASCII()
	}
	return CleanASCII(strings.TrimSpace(v.field("amount").redacted() + " " + v.field("currencyCode").redacted()))
}
