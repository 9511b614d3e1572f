package attempt

import (
	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/screens/present"
	"paydesk/ui"
)

// A wording is the text about one kind of attempt.
type wording struct {
	guidance string // how a person can find out
	found    func(api.Reference) string
	notFound string

	afterFound, afterNotFound []string
	afterGivingUp             string
	foundKey, notFoundKey     string
}

const notListed = "It is no longer listed as unresolved"

var ofPayment = wording{
	guidance: "paydesk will not send it again. Its attempt ID was included in metaData as " + journal.AttemptKey + ": search for it at the provider. " +
		"Take no other payment for this until it is resolved.",
	found: func(r api.Reference) string { return "Record that it was found as " + string(r) + "?" },
	afterFound: []string{
		"It then is that payment: its status is checked by this reference, and it is in progress until that is final.",
		"If the reference is another payment's, nobody looks for this one any more.",
	},
	notFound: "Record that this payment was never made?",
	afterNotFound: []string{
		notListed + ", and the same payment can be sent without a warning about this one.",
		"If it was made after all, the customer pays twice. Check with the provider first, by amount, time and attempt ID.",
	},
	afterGivingUp: "If it was made, the customer was charged and nothing here shows it.",
	foundKey:      "found as…", notFoundKey: "not found",
}

var ofLink = wording{
	guidance: "paydesk will not create it again. A link has no reference to check: look in the provider's dashboard " +
		"for one of this name, amount and time, then record what you found.",
	found:         func(api.Reference) string { return "Record that the link was found at the provider?" },
	afterFound:    []string{notListed + ". Its alias stays unknown here: share it from the provider's dashboard."},
	notFound:      "Record that this link was never created?",
	afterNotFound: []string{notListed + ".", "If it was created after all, anyone with its URL can pay through it."},
	afterGivingUp: "If the link was created, anyone with its URL can pay through it.",
	foundKey:      "found", notFoundKey: "not found",
}

var ofFinalize = wording{
	guidance: "Check the status of its payment: a final one settles it. Otherwise you can retry the finalization, " +
		"a minute after this one at the earliest.",
	found:         func(r api.Reference) string { return "Record that " + string(r) + " was finalized?" },
	afterFound:    []string{notListed + ". If it was not finalized, the funds do not move until somebody finalizes it."},
	notFound:      "Record that it was not finalized?",
	afterNotFound: []string{notListed + ". The payment may have to be finalized again."},
	afterGivingUp: "If it was not finalized, the funds do not move until somebody finalizes it.",
	foundKey:      "finalized", notFoundKey: "not finalized",
}

func wordingOf(k journal.Kind) wording {
	switch k {
	case journal.CreateLink:
		return ofLink
	case journal.Finalize:
		return ofFinalize
	}
	return ofPayment
}

// headline is the first line: what is known, and its tone. Nothing but a status can be good
// news, and the status has a line of its own.
func headline(a journal.Attempt) (ui.Tone, string) {
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
	return tone, present.Outcome(a)
}

// kindName names the kind.
func kindName(k journal.Kind) string {
	switch k {
	case journal.CreateLink:
		return "Payment link"
	case journal.Finalize:
		return "Finalization"
	}
	return "Payment"
}

// paidBy is the channel, and the end of the card number.
func paidBy(a journal.Attempt) string {
	channel := present.Plain(a.Channel)
	if a.Channel == api.ChannelTransfer {
		channel = "Transfer"
	}
	if a.Card != "" {
		channel += " •••• " + present.Plain(a.Card)
	}
	return channel
}

// summary is the attempt in a few words.
func summary(a journal.Attempt) []string {
	parts := []string{kindName(a.Kind)}
	if !a.Amount.Currency.IsZero() {
		parts = append(parts, a.Amount.String())
	}
	if by := paidBy(a); by != "" {
		parts = append(parts, by)
	}
	return append(parts, present.DateTime(a.At), destination(a.Destination))
}

func destination(p journal.Destination) string {
	s := present.Target{Environment: present.Plain(p.Environment), Host: present.Plain(p.Host)}.String()
	if p.Profile != "" {
		s += " (" + present.Plain(p.Profile) + ")"
	}
	return s
}
