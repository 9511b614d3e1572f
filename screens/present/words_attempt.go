package present

import (
	"strings"
	"time"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/ui"
)

// Unresolved is the word for an attempt whose outcome is not known, in every column.
const Unresolved = "UNRESOLVED"

// NotKnown is the sentence beside [Unresolved].
func NotKnown(k journal.Kind) string { return "It is not known whether " + k.Effect() + "." }

// Outcome is a sentence about what is known of an attempt.
func Outcome(a journal.Attempt) string {
	switch a.Decision {
	case journal.Found:
		return "It was found."
	case journal.NotFound:
		return "Recorded as never done."
	case journal.GaveUp:
		return NotKnown(a.Kind) + " Given up."
	}
	switch a.Outcome {
	case journal.Sent:
		return "Sent; the response may still arrive."
	case journal.Accepted:
		return "The service accepted it."
	case journal.Refused:
		return "The service rejected it. Nothing was done."
	case journal.NotSent:
		return "Nothing was sent."
	}
	return NotKnown(a.Kind)
}

// Card is the last four digits of an attempt's card, masked; "" without a card.
func Card(a journal.Attempt) string {
	if a.Card == "" {
		return ""
	}
	return "•••• " + Plain(a.Card)
}

// Amount is the amount of an attempt, "" where none is known.
func Amount(a journal.Attempt) string {
	if a.Amount.Currency.IsZero() {
		return ""
	}
	return a.Amount.String()
}

// KindName names a kind of attempt.
func KindName(k journal.Kind) string {
	switch k {
	case journal.CreateLink:
		return "Payment link"
	case journal.Finalize:
		return "Finalization"
	}
	return "Payment"
}

// Headline is the first line about an attempt: what is known, and its tone. Nothing but a status
// can be good news, and the status has a line of its own.
func Headline(a journal.Attempt) (ui.Tone, string) {
	tone := ui.ToneUnknown
	switch {
	case a.Decision == journal.GaveUp:
	case a.Decision != journal.Undecided, a.Outcome == journal.Accepted, a.Outcome == journal.NotSent:
		tone = ui.ToneNone
	case a.Outcome == journal.Sent:
		tone = ui.ToneWait
	case a.Outcome == journal.Refused:
		tone = ui.ToneBad
	}
	return tone, Outcome(a)
}

// Subject is what an attempt was about, in a column: the card or the channel of a payment,
// else the kind. The card is masked already.
func Subject(k journal.Kind, card, channel string) string {
	switch {
	case k == journal.CreateLink:
		return "new link"
	case k == journal.Finalize:
		return "finalize"
	case card != "":
		return card
	case channel == api.ChannelTransfer:
		return "transfer"
	case channel == "":
		return "payment"
	}
	return Plain(channel)
}

// Event is the heading of an event in a timeline. Only a status has a tone of its own.
func Event(e journal.Event) (string, ui.Tone) {
	if e.What == "status" {
		s := api.ParseStatus(e.Detail)
		return OwnWord(s), Tone(s)
	}
	if call, ok := strings.CutSuffix(e.What, string(journal.Unresolved)); ok {
		return Plain(call + Unresolved), ui.ToneUnknown
	}
	return Plain(e.What), ui.ToneNone
}

// Operator is "ada on desk1 from 192.0.2.7", without what is not known.
func Operator(o journal.Operator) string { return Plain(o.String()) }

// DateTime is a day and a time of day, in the local time zone.
func DateTime(t time.Time) string { return t.Local().Format(time.DateTime) }
