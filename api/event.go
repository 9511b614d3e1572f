package api

import (
	"paydesk/api/money"
)

// A WebhookEvent is what the body of a webhook claims (section 6; its members are from the service facts). Nobody signs
// it, so that it is a hint: nothing in it is final, and its Status is never [Successful] or [Failed].
type WebhookEvent struct {
	Name      Text      // the event as received: payment.success, PaymentSuccessful
	Reference Reference // "" where the body has no valid one
	Status    Status    // of the payment, read by [ParseClaim]
	Says      State     // what is claimed, by the status or, without a known one, by the event; [Unrecognised] where neither does
	// Contradicts is that the event and the status claim different outcomes. The service was seen to do so; the status counts.
	Contradicts bool

	Amount     money.Amount // zero where HasAmount is false
	HasAmount  bool
	AmountText Text // amount and currency as received, where they cannot be read
	Paid       money.Amount
	HasPaid    bool

	Channel, Narration, Environment, Source Text
	Link                                    Alias     // of a payment link, from the metadata
	Claimed                                 Timestamp // when it says that it happened; no such member is specified

	// Problem is why the body could not be understood, a sentence; empty where it was.
	Problem Text
}

// Understood reports whether the body has an event of a payment that can be asked about.
func (e WebhookEvent) Understood() bool { return e.Problem.Empty() }
