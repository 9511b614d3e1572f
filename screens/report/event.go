package report

import (
	"strconv"
	"strings"

	"paydesk/api"
	"paydesk/api/export"
	"paydesk/api/webhook"
	"paydesk/screens/present"
	"paydesk/ui"
)

// OfEvent is the report of an event that was received. answer is the status that the service reported about it, as it may be shown
// beside what is recorded of the payment.
func OfEvent(d webhook.Detail, answer ui.Cell) Report {
	r := Report{Title: "Event " + strconv.FormatInt(d.ID, 10), Status: VerdictCell(d.Verdict), Says: []Words{{Text: EventMeans(d.Record)}}}
	if d.Contradicts {
		r.Says = append(r.Says, Words{Text: EventContradicts})
	}
	if d.Masked {
		r.Says = append(r.Says, Words{Text: EventMasked})
	}
	service := Fact{Label: "Service", Value: answer.Text, Tone: answer.Tone, At: d.Answer.At}
	if d.Answer.HasAmount {
		service.Value += " " + d.Answer.Amount.String()
	}
	switch {
	case d.Answer.At.IsZero():
		service.Value = ""
	case d.Answer.NotFound:
		service.Value = NoSuchPayment
	}
	facts := append([]Fact{
		{Label: "Says", Value: strings.TrimSpace(Claim(d.WebhookEvent)+" "+ClaimedAmount(d.WebhookEvent)) + ", unverified"},
		service, {Label: "Differs", Value: EventDiffers(d.Record), Tone: ui.ToneBad},
	}, EventFacts(d.Record)...)
	arrived := []Fact{{Label: "Size", Value: present.Count(d.Size, "byte", "bytes")}}
	for _, a := range d.Arrivals {
		arrived = append(arrived, Fact{Label: "Arrived", At: a.At})
	}
	for _, f := range d.Sent {
		arrived = append(arrived, Fact{Label: "Sent on", Value: present.Plain(f.Target) + ": " + EventSent(f), At: f.At})
	}
	r.Sections = []Section{{Title: "Event", Facts: facts}, {Title: "Arrived", Facts: arrived}}
	return r
}

// EventFacts are what an event says of itself. Nothing of it is verified.
func EventFacts(r webhook.Record) []Fact {
	claimed, paid := export.Masked(r.Claimed.Text), ""
	if !r.Claimed.Time.IsZero() {
		claimed = present.DateTime(r.Claimed.Time.Local())
	}
	if r.HasPaid {
		paid = r.Paid.String()
	}
	return []Fact{
		{Label: "Event", Value: EventName(r.WebhookEvent)}, {Label: "Payment", Value: EventReference(r)}, {Label: "Time", Value: claimed},
		{Label: "Paid", Value: paid}, {Label: "Channel", Value: export.Masked(r.Channel)}, {Label: "Link", Value: present.Plain(string(r.Link))},
		{Label: "About", Value: export.Masked(r.Narration)}, {Label: "Mode", Value: export.Masked(r.Environment)}, {Label: "Source", Value: export.Masked(r.Source)},
	}
}

// What is said of an event beside its verdict.
const (
	EventContradicts = "Its name and its status claim different outcomes: the status counts."
	EventMasked      = "Masked: what looked like a card number was hidden before it was stored. It cannot be replayed."
	NoSuchPayment    = "no such payment"
)

// Claim is the status that an event claims, in its own word where it has one.
func Claim(e api.WebhookEvent) string {
	switch {
	case !e.Status.Text.Empty():
		return export.Masked(e.Status.Text)
	case e.Says != api.Unrecognised:
		return e.Says.String()
	}
	return ""
}

// EventDiffers names what the service contradicts; "" for nothing.
func EventDiffers(r webhook.Record) string {
	var words []string
	for _, d := range r.Differs {
		words = append(words, string(d))
	}
	return strings.Join(words, ", ")
}

// EventMeans says what a verdict stands for, whether it may be out of date, and what is to be done.
func EventMeans(r webhook.Record) string {
	words := verdictMeans(r)
	if r.Answer.Problem != "" && r.Verdict != webhook.NotAsked {
		words += " It could not be asked again: " + present.Sentence(r.Answer.Problem)
	}
	if r.Early {
		words += " The event claimed a success before the service reported one."
	}
	return words
}

func verdictMeans(r webhook.Record) string {
	switch r.Verdict {
	case webhook.Waiting:
		return "The service has not been asked about this payment yet."
	case webhook.Agrees:
		return "The service says the same as this event."
	case webhook.NoAmount:
		return "The service reports the same status, and states no amount."
	case webhook.Disagrees:
		return "The service says otherwise, and only its answer counts."
	case webhook.Unknown:
		return "The service has no such payment. Anybody who knows the address can post an event."
	case webhook.NotAsked:
		return strings.TrimSpace("The service could not be asked. " + present.Sentence(r.Answer.Problem))
	}
	if r.Problem.Empty() {
		return "Nothing in it can be asked about."
	}
	return present.Sentence(export.Masked(r.Problem))
}

// EventSent says what became of sending an event to a target, in a sentence.
func EventSent(f webhook.Forward) string {
	if f.Status == 0 {
		return present.Sentence(export.Masked(api.Clean(f.Problem)))
	}
	return "It answered " + strconv.Itoa(f.Status) + " in " + present.Took(f.Took) + "."
}
