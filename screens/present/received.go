package present

import (
	"time"

	"paydesk/api"
)

// AmountUnstated is said of a success whose answer has no amount: the one that is shown was requested.
const AmountUnstated = "Amount not stated by the service: compare it with the provider's first."

// ReceivedWords return what has been paid so far, of how much, in w cells, and whether that cannot be compared with the amount; "" where the
// service does not say.
func ReceivedWords(paid api.Receipt, asked api.Asked, w int) (words string, odd bool) {
	of := asked.Amount
	switch {
	case paid.IsZero():
		return "", false
	case paid.Amount.Currency.IsZero():
		return paid.Text.Line(max(w-10, 1)) + " (raw)", true
	case paid.Amount.Minor < 0, paid.Amount.Currency != of.Currency && !of.Currency.IsZero():
		return paid.Amount.String(), true
	case of.Currency.IsZero():
		return paid.Amount.String(), false
	case paid.Amount.Minor > of.Minor:
		more := paid.Amount
		more.Minor -= of.Minor
		return ReceivedOf(paid, asked) + ": " + more.String() + " more than asked", false
	}
	return ReceivedOf(paid, asked), false
}

// ReceivedWhen says what was received of a payment when the service was last asked; "" where that is not known, which
// it says of a transfer.
func ReceivedWhen(paid string, transfer bool, s api.Status, at time.Time) string {
	checked := "(checked " + Clock(at.Local()) + ")"
	switch {
	case paid != "":
		return "Received " + paid + " " + checked
	case transfer:
		return "The service does not say whether any money was received; its status is " + OwnWord(s) + " " + checked + "."
	}
	return ""
}

// ReceivedOf returns what has been paid so far of a payment in the same currency: "5.00 of 12.50 GBP".
func ReceivedOf(paid api.Receipt, asked api.Asked) string {
	return paid.Amount.Grouped() + " of " + asked.Amount.String()
}

// ReceivedAll reports whether all that was asked for has been paid.
func ReceivedAll(paid api.Receipt, asked api.Asked) bool {
	return receivedSome(paid, asked) && paid.Amount.Minor >= asked.Amount.Minor
}

// ReceivedPart reports whether some of what was asked for has been paid, and not all.
func ReceivedPart(paid api.Receipt, asked api.Asked) bool {
	return receivedSome(paid, asked) && paid.Amount.Minor < asked.Amount.Minor
}

func receivedSome(paid api.Receipt, asked api.Asked) bool {
	return !paid.Amount.Currency.IsZero() && paid.Amount.Currency == asked.Amount.Currency && paid.Amount.Minor > 0
}

// Meaning returns what the status of a payment means and what to do, where a pending payment has brought money too.
func Meaning(s api.Status, c api.Circumstances, paid api.Receipt, asked api.Asked) (means, action string) {
	switch {
	case s.State != api.Pending:
	case ReceivedAll(paid, asked):
		return "The full amount was received; the service has still to confirm it.", "Provide nothing yet. Do not charge again."
	case ReceivedPart(paid, asked) && !c.AccountExpired():
		return "A part was received: " + ReceivedOf(paid, asked) + ".", "Provide nothing yet. Do not charge the full amount again."
	}
	return s.State.Meaning(c)
}
