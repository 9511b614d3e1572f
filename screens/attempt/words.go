package attempt

import (
	"time"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/screens/present"
	"paydesk/ui"
)

// words are what is said of a kind of attempt.
type words struct {
	nobodyKnows string
	compare     string // how a person can find out
	found       func(api.Reference) string
	notFound    string

	afterFound, afterNotFound []string
	afterGivingUp             string
	foundKey, notFoundKey     string
}

var ofPayment = words{
	nobodyKnows: "Nobody knows whether this payment was made.",
	compare: "No key here sends it again. Its attempt id went along in metaData as " + journal.AttemptKey + ": by it a person finds the payment at the provider. " +
		"Take no other payment for this until it is clear.",
	found: func(r api.Reference) string { return "Record that it was found as " + string(r) + "?" },
	afterFound: []string{
		"From then on it is that payment: its status is asked for by this reference, and it is under way until that is final.",
		"If the reference is another payment's, nobody looks for this one any more.",
	},
	notFound: "Record that this payment was never made?",
	afterNotFound: []string{
		"It leaves the list of what is unresolved, and the same payment can be sent without being asked about this one.",
		"If it was made after all, the customer pays twice. Look at the provider first, by amount, time and attempt id.",
	},
	afterGivingUp: "If it was made, the customer was charged and nothing here says so.",
	foundKey:      "found as…", notFoundKey: "not found",
}

var ofLink = words{
	nobodyKnows: "Nobody knows whether this link was created.",
	compare: "No key here creates it again. A link has no reference to ask by: look in the provider's dashboard " +
		"for one of this name, amount and time, then record what you found.",
	found: func(api.Reference) string { return "Record that the link was found at the provider?" },
	afterFound: []string{
		"It leaves the list of what is unresolved. Its alias stays unknown here: share it from the provider's dashboard.",
	},
	notFound: "Record that this link was never created?",
	afterNotFound: []string{
		"It leaves the list of what is unresolved.",
		"If it was created after all, whoever gets its address can pay through it.",
	},
	afterGivingUp: "If the link was created, whoever gets its address can pay through it.",
	foundKey:      "found", notFoundKey: "not found",
}

var ofFinalize = words{
	nobodyKnows: "Nobody knows whether this finalization was taken.",
	compare: "Ask for the status of its payment: one that is final settles it. Otherwise it can be finalized again by hand, " +
		"a minute after this at the earliest.",
	found: func(r api.Reference) string { return "Record that " + string(r) + " was finalized?" },
	afterFound: []string{
		"It leaves the list of what is unresolved. If it was not finalized, the funds do not move until somebody does it.",
	},
	notFound: "Record that it was not finalized?",
	afterNotFound: []string{
		"It leaves the list of what is unresolved. The payment may have to be finalized again.",
	},
	afterGivingUp: "If it was not finalized, the funds do not move until somebody does it.",
	foundKey:      "was taken", notFoundKey: "was not taken",
}

func wordsOf(k journal.Kind) words {
	switch k {
	case journal.CreateLink:
		return ofLink
	case journal.Finalize:
		return ofFinalize
	}
	return ofPayment
}

// verdict is the first line: our own word for what is known, and its tone. Nothing but a
// status can be good news, and the status has a line of its own.
func verdict(a journal.Attempt) (ui.Tone, string) {
	w := wordsOf(a.Kind)
	switch a.Decision {
	case journal.Found:
		return ui.ToneNone, "It was found."
	case journal.NotFound:
		return ui.ToneNone, "It was decided that this was never done."
	case journal.GaveUp:
		return ui.ToneUnknown, w.nobodyKnows + " It was given up."
	}
	switch a.Outcome {
	case journal.Sent:
		return ui.ToneWait, "It was sent, and its answer may still come."
	case journal.Accepted:
		return ui.ToneNone, "The service took it."
	case journal.Refused:
		return ui.ToneBad, "The service said no. Nothing was done."
	case journal.NotSent:
		return ui.ToneNone, "Nothing was sent."
	}
	return ui.ToneUnknown, w.nobodyKnows
}

// what names the kind.
func what(k journal.Kind) string {
	switch k {
	case journal.CreateLink:
		return "Payment link"
	case journal.Finalize:
		return "Finalization"
	}
	return "Payment"
}

// paidBy is the channel, and what there is of the card.
func paidBy(a journal.Attempt) string {
	channel := clean(a.Channel)
	if a.Channel == api.ChannelTransfer {
		channel = "Transfer"
	}
	if a.Card != "" {
		channel += " •••• " + clean(a.Card)
	}
	return channel
}

// essence is the attempt in a few words.
func essence(a journal.Attempt) []string {
	parts := []string{what(a.Kind)}
	if !a.Amount.Currency.IsZero() {
		parts = append(parts, a.Amount.String())
	}
	if by := paidBy(a); by != "" {
		parts = append(parts, by)
	}
	return append(parts, moment(a.At), place(a.Destination))
}

func place(p journal.Destination) string {
	s := present.Target{Environment: clean(p.Environment), Host: clean(p.Host)}.String()
	if p.Profile != "" {
		s += " (" + clean(p.Profile) + ")"
	}
	return s
}

// operator is who sat there.
func operator(o journal.Operator) string {
	s := clean(o.User)
	if o.Host != "" {
		s += " on " + clean(o.Host)
	}
	if o.SSH != "" {
		s += " from " + clean(o.SSH)
	}
	return s
}

// moment is a time in the zone of the person looking.
func moment(t time.Time) string { return t.Local().Format(time.DateTime) }

// clean is text of the journal, which is a file that others can write.
func clean(s string) string { return api.Clean(s).Line(0) }
