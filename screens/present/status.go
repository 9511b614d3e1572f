// Package present turns values of the service into words and lines for a person, so that every
// screen says the same thing the same way.
//
//   - [Error] words an error as a [Problem]: what happened, whether anything was sent, what to do.
//   - [Status], [Word], [Tone] and [Meaning] present a payment's status.
//   - [Duplicates] lists earlier attempts like one that was stopped, and asks whether to send it.
//   - [MismatchLines] and [StatusCell] present a payment about which the service answered something else
//     than was asked.
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

// A statusText is how the console words a state. An action is what the merchant must do about it
// (specification 3.1); the words hold for cards and transfers alike.
type statusText struct {
	tone          ui.Tone
	word, short   string // short has at most 12 cells
	means, action string
}

var statusTexts = [...]statusText{
	api.Unrecognised: {
		ui.ToneUnknown, "", "UNRECOGNISED",
		"The service reported a status that is not in the specification.", "Do not charge again and do not release goods; keep checking.",
	},
	api.Initiated: {
		ui.ToneAct, "INITIATED", "INITIATED",
		"The payment was initiated.", "Have the customer complete the bank check, if one is required.",
	},
	api.ActionRequired: {
		ui.ToneAct, "CUSTOMER MUST PAY", "MUST PAY",
		"The customer must pay outside the service.", "Have the customer pay into the given account.",
	},
	api.BankAuthRequired: {
		ui.ToneAct, "BANK CHECK NEEDED", "BANK CHECK",
		"The customer's bank must authenticate the payment.", "Have the customer complete the bank check.",
	},
	api.Pending: {
		ui.ToneWait, "PENDING", "PENDING",
		"Not settled: the bank has not confirmed the money yet.", "Treat it as processing. Do not charge again.",
	},
	api.Successful: {
		ui.ToneGood, "SUCCESSFUL", "SUCCESSFUL",
		"Funds have been secured.", "Provide the goods or service.",
	},
	api.Claimed: {
		ui.ToneWait, "CLAIMED", "CLAIMED",
		"Claimed by the answer to the initiation; only a status check says how it ends.", "Wait for the check. Do not charge again.",
	},
	api.Failed: {
		ui.ToneBad, "FAILED", "FAILED",
		"The payment did not go through.", "Ask the customer for another payment method.",
	},
}

// Tone is the colour a status is shown in.
func Tone(s api.Status) ui.Tone { return statusTexts[s.State].tone }

// Word is a status short enough for a column. A status that is not in the specification is
// quoted and marked as unrecognised.
func Word(s api.Status) string {
	switch {
	case s.State == api.Claimed:
		return statusTexts[s.State].word + ": " + api.ParseStatus(s.Text.Line(0)).State.String()
	case s.State != api.Unrecognised:
		return statusTexts[s.State].word
	case s.Text.Empty():
		return "NO STATUS"
	}
	return "unrecognised: " + s.Text.Line(24)
}

// ShortStatus is a status in at most 12 cells, in the console's own words: text of the
// service never appears in it.
func ShortStatus(s api.Status) string { return statusTexts[s.State].short }

// listWord is a status in a list in at most 17 cells: the word that every other screen has for it, unless that has
// text of the service in it, or is two.
func listWord(s api.Status) string {
	if s.State == api.Claimed {
		return ShortStatus(s)
	}
	return OwnWord(s)
}

// OwnWord is [Word] without any text of the service.
func OwnWord(s api.Status) string {
	if s.State == api.Unrecognised {
		return ShortStatus(s)
	}
	return Word(s)
}

// Meaning is what a status means and what the merchant must do about it.
func Meaning(s api.Status) (means, action string) {
	return statusTexts[s.State].means, statusTexts[s.State].action
}

// Status is the mark and word of a status, coloured.
func Status(t *ui.Theme, s api.Status) string { return t.Mark(Tone(s), Word(s)) }
