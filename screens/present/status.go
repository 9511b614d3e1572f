// Package present turns values of the service into words and lines for a person, so that every
// screen says the same thing the same way.
//
//   - [Error] words an error as a [Problem]: what happened, whether anything was sent, what to do.
//   - [Word], [OwnWord] and [Tone] present a payment's status, [ExpiryWords] the account of a transfer.
//   - [Duplicates] lists earlier attempts like one that was stopped, and asks whether to send it.
//   - [Agreed] and [ListCell] present a payment about which the service answered something else
//     than was asked.
//   - [Stepper] and [Progress] draw the steps of a payment; [StageOf] is the current one.
//   - [Target] names the environment and host that every confirmation shows.
//   - [FitHeight] and [SideBySide] lay out lines in the room a screen has; [Request] draws
//     what a form will send, and [SplitWidths] divides the width between the two.
//
// Text from outside is cleaned before it is shown. Only the state [api.Successful], which only
// the two accepted words parse to, has the colour of success.
package present

import (
	"time"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/ui"
)

// A statusText has the console's words for a state. [api.State.Meaning] says what it means.
type statusText struct {
	tone        ui.Tone
	word, short string // short has at most 12 cells
}

var statusTexts = [...]statusText{
	api.Unrecognised:     {ui.ToneUnknown, "", "UNRECOGNISED"},
	api.Initiated:        {ui.ToneAct, "INITIATED", "INITIATED"},
	api.ActionRequired:   {ui.ToneAct, "CUSTOMER MUST PAY", "MUST PAY"},
	api.BankAuthRequired: {ui.ToneAct, "BANK CHECK NEEDED", "BANK CHECK"},
	api.Pending:          {ui.ToneWait, "PENDING", "PENDING"},
	api.Successful:       {ui.ToneGood, "SUCCESSFUL", "SUCCESSFUL"},
	api.Claimed:          {ui.ToneWait, "Initial response", "UNCONFIRMED"},
	api.Failed:           {ui.ToneBad, "FAILED", "FAILED"},
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

// PaymentCell is the status of a payment in a column, or what is in doubt about it: its mismatch, or
// whether it was finalized, where a finalize was lost.
func PaymentCell(a ledger.Attempt, c api.Circumstances) ui.Cell {
	if a.Mismatch.IsZero() && !a.FinalizeLostAt().IsZero() {
		return ui.Cell{Text: "FINALIZE UNKNOWN", Tone: ui.ToneUnknown}
	}
	return ListCell(a.Status, a.Mismatch, c)
}

// FinalizeLost says that a finalize got no answer; "" where none was lost.
func FinalizeLost(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return "A finalize got no answer (" + DateTime(at) + "). " + NotKnown(ledger.Finalize)
}

// PaymentName names a payment by its reference. One that looks like a card number is not named.
func PaymentName(r api.Reference) string {
	if r == "" || r.LooksLikeCard() {
		return "Payment"
	}
	return "Payment " + string(r)
}

// Settled says in the console's own words how a payment has ended, or that it is in doubt, for a notice and for a
// notification on the desktop, where the environment is said too.
func Settled(r api.Reference, s api.Status, doubt bool, environment string) string {
	word := OwnWord(s)
	if doubt {
		word = Mismatch
	}
	if environment != "" {
		word += " (" + environment + ")"
	}
	return PaymentName(r) + ": " + word
}

// SettledTone is the colour of that.
func SettledTone(s api.Status, doubt bool) ui.Tone {
	if doubt {
		return ui.ToneMismatch
	}
	return Tone(s)
}
