// Package present words the service's values for people: what a status means and
// what to do about it, what went wrong and which step comes next.
package present

import (
	"paydesk/api"
	"paydesk/ui"
)

// Tone is what a status means for the person looking. Only the state Successful,
// which only the two accepted words make, is good.
func Tone(s api.Status) ui.Tone {
	switch s.State {
	case api.Successful:
		return ui.ToneGood
	case api.Failed:
		return ui.ToneBad
	case api.Pending:
		return ui.ToneWait
	case api.Initiated, api.ActionRequired, api.BankAuthRequired:
		return ui.ToneAct
	}
	return ui.ToneUnknown
}

// Word is the status in one or two words: the specification's own where it is short
// enough for a column, and a word that is not known as it came.
func Word(s api.Status) string {
	switch s.State {
	case api.Successful:
		return "SUCCESSFUL"
	case api.Failed:
		return "FAILED"
	case api.Pending:
		return "PENDING"
	case api.Initiated:
		return "INITIATED"
	case api.ActionRequired:
		return "CUSTOMER MUST PAY"
	case api.BankAuthRequired:
		return "BANK CHECK NEEDED"
	}
	if s.Text.Empty() {
		return "NO STATUS"
	}
	return "unrecognised: " + s.Text.Line(24)
}

// Meaning is what a status means and what the merchant does about it
// (specification 3.1).
func Meaning(s api.Status) (means, action string) {
	switch s.State {
	case api.Successful:
		return "Funds have been secured.", "Provide the value or service."
	case api.Failed:
		return "The charge was rejected.", "Ask for another payment method."
	case api.Pending:
		return "The customer authorised; the bank has still to settle.", "Show \"processing\". Do not charge again."
	case api.Initiated:
		return "The payment has been initiated.", "Let the customer complete the bank's check, if one is asked for."
	case api.ActionRequired:
		return "The customer must act outside the service.", "Let the customer pay into the account that was given."
	case api.BankAuthRequired:
		return "The customer's bank must authenticate the payment.", "Let the customer complete the bank's check."
	}
	return "The service used a word the specification does not have.", "Do not charge again and do not hand out goods; keep asking."
}

// Status is the glyph and word of a status, coloured.
func Status(t *ui.Theme, s api.Status) string { return t.Mark(Tone(s), Word(s)) }
