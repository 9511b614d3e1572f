// Package present turns values of the service into words and lines for a person, so that every
// screen says the same thing the same way.
//
//   - [Error] words an error as a [Problem]: what happened, whether anything was sent, what to do.
//   - [Status], [Word], [Tone] and [Meaning] present a payment's status.
//   - [Stepper] and [Progress] draw the steps of a payment; [StageOf] is the current one.
//   - [Target] names the environment and host that every confirmation shows.
//   - [FitHeight], [SideBySide] and [WrapCode] lay out lines in the room a screen has.
//
// Text from outside is cleaned before it is shown. Only the state [api.Successful], which only
// the two accepted words parse to, has the colour of success.
package present

import (
	"paydesk/api"
	"paydesk/ui"
)

// Tone is the colour a status is shown in.
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

// Word is a status short enough for a column. A status that is not in the specification is
// quoted and marked as unrecognised.
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

// Meaning is what a status means and what the merchant must do about it (specification 3.1). The
// words hold for cards and transfers alike.
func Meaning(s api.Status) (means, action string) {
	switch s.State {
	case api.Successful:
		return "Funds have been secured.", "Provide the goods or service."
	case api.Failed:
		return "The payment did not go through.", "Ask the customer for another payment method."
	case api.Pending:
		return "Not settled: the bank has not confirmed the money yet.", "Treat it as processing. Do not charge again."
	case api.Initiated:
		return "The payment was initiated.", "Have the customer complete the bank check, if one is required."
	case api.ActionRequired:
		return "The customer must pay outside the service.", "Have the customer pay into the given account."
	case api.BankAuthRequired:
		return "The customer's bank must authenticate the payment.", "Have the customer complete the bank check."
	}
	return "The service reported a status that is not in the specification.", "Do not charge again and do not release goods; keep checking."
}

// Status is the mark and word of a status, coloured.
func Status(t *ui.Theme, s api.Status) string { return t.Mark(Tone(s), Word(s)) }
