package present

import (
	"paydesk/api"
	"paydesk/ui"
)

// Received is what has been paid so far, of how much, in w cells; "" where the service does not say. What cannot be
// compared with the amount is marked.
func Received(t *ui.Theme, paid api.Receipt, asked api.Asked, w int) string {
	of := asked.Amount
	switch {
	case paid.IsZero():
		return ""
	case paid.Amount.Currency.IsZero():
		return t.Mark(ui.ToneAct, paid.Text.Line(max(w-10, 1))+" (raw)")
	case paid.Amount.Minor < 0, paid.Amount.Currency != of.Currency && !of.Currency.IsZero():
		return t.Mark(ui.ToneAct, paid.Amount.String())
	case of.Currency.IsZero():
		return paid.Amount.String()
	case paid.Amount.Minor > of.Minor:
		more := paid.Amount
		more.Minor -= of.Minor
		return ReceivedOf(paid, asked) + ": " + more.String() + " more than asked"
	}
	return ReceivedOf(paid, asked)
}

// ReceivedOf is what has been paid so far of a payment in the same currency: "5.00 of 12.50 GBP".
func ReceivedOf(paid api.Receipt, asked api.Asked) string {
	return paid.Amount.Grouped() + " of " + asked.Amount.String()
}
