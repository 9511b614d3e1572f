package api

import (
	"cmp"
	"errors"
	"slices"
	"strings"
)

// A WebhookEvent has the claims of a webhook's body (section 6; its members are from the service facts). The body is not
// signed, so that it is a hint: nothing in it is final, and its Status is never [Successful] or [Failed].
type WebhookEvent struct {
	Name      Text      // the event as received: payment.success, PaymentSuccessful
	Reference Reference // "" where the body has no valid one
	Status    Status    // of the payment, read by [ParseClaim]
	// Says holds what is claimed to have become of the payment: by the status or, where the body has none, by the
	// event; [Unrecognised] where neither is known.
	Says State
	// Contradicts reports that event and status claim different outcomes, as the service was seen to do. The
	// status counts.
	Contradicts bool

	// Amount is that of the payment, and Paid what was paid of it, in major units as everywhere but in the list.
	Amount, Paid Reported

	Channel, Narration, Environment, Source Text
	Link                                    Alias     // of a payment link, from the metadata
	Claimed                                 Timestamp // when it says that it happened; no such member is specified

	// Problem tells why the body could not be understood, a sentence; empty where it was.
	Problem Text
}

// Understood reports whether the body has an event of a payment that can be asked about.
func (e WebhookEvent) Understood() bool { return e.Problem.Empty() }

// eventOutcomes map the names of events to outcomes: those of section 6, and the official ones.
var eventOutcomes = map[string]State{
	"payment.success":   Successful,
	"payment.failed":    Failed,
	"paymentsuccessful": Successful,
	"paymentfailed":     Failed,
}

// ParseEvent reads the body of a webhook, in any of the spellings that were seen: with members in PascalCase or
// camelCase, and with the data in an object of its own or beside the event.
func ParseEvent(body []byte) (e WebhookEvent) {
	top, err := readStrict(body, redactor{})
	if bad, is := errors.AsType[*malformed](err); is {
		return WebhookEvent{Problem: Clean("The body cannot be read: " + strings.ReplaceAll(bad.text, "the response", "it") + ".")}
	}
	if top.kind() != '{' {
		return WebhookEvent{Problem: Clean("The body is not a JSON object.")}
	}
	data := top.member("data", "payload")
	if data.kind() != '{' {
		data = top
	}
	e.Name = cmp.Or(top.member("event", "eventType", "type"), data.member("event")).brief()
	if e.Reference = cmp.Or(data.ownReference(), top.ownReference()); e.Reference == "" {
		if inside := top.naming(); inside != nil {
			data, e.Reference = inside, inside.ownReference()
		}
	}
	e.readOutcome(data.member("paymentStatus", "status", "transactionStatus"))
	e.Amount, e.Paid = reportedBy(data, "amount"), reportedBy(data, "amountPaid")
	e.Channel, e.Narration = data.member("channelType", "channel").brief(), data.member("narration").brief()
	e.Environment, e.Source = data.member("environment").brief(), data.member("requestSource").brief()
	e.Link, _ = ParseAlias(data.member("metadata").member("alias").plain()) // most have none
	at := cmp.Or(data.member("occurredAt", "timestamp", "createdAt", "date", "paidAt"), top.member("timestamp", "createdAt", "date"))
	e.Claimed = ParseTimestamp(at.displayASCII().Line(0))
	switch {
	case e.Reference == "":
		e.Problem = Clean("No payment reference in the body.")
	case e.Says == Unrecognised && e.Status.Text.Empty():
		e.Problem = Clean("The body does not say what became of the payment: it has no status, and its event is not known.")
	}
	return e
}

// ownReference is the reference of a payment that an object names itself.
func (v *value) ownReference() Reference {
	r, _ := firstReference(v.member("reference"), v.member("paymentReference"), v.member("transactionReference"))
	return r
}

// maxNested limits how deep in an event of an unfamiliar shape a payment is looked for.
const maxNested = 4

// naming is the object inside v that names a payment; nil where none does, or where two payments are named.
func (v *value) naming() (found *value) {
	level := []*value{v}
	for range maxNested {
		var next []*value
		for _, o := range level {
			for _, part := range o.parts {
				if part.kind() != '{' && part.kind() != '[' {
					continue
				}
				next = append(next, part)
				switch r := part.ownReference(); {
				case r == "":
				case found == nil:
					found = part
				case found.ownReference() != r:
					return nil
				}
			}
		}
		level = next
	}
	return found
}

// readOutcome reads what is claimed. A status that is not known says nothing, whatever the event is called.
func (e *WebhookEvent) readOutcome(status *value) {
	word := status.brief().Line(0)
	e.Status = ParseClaim(word)
	byEvent, known := eventOutcomes[LowerASCII(trimSpace(e.Name.Line(0)))]
	if e.Status.Text.Empty() {
		e.Says = byEvent
		return
	}
	e.Says = ParseStatus(word).State
	e.Contradicts = known && e.Says.Final() && e.Says != byEvent
}

// reportedBy reads a member of an event; zero where there is none.
func reportedBy(data *value, name string) Reported {
	v := data.member(name)
	if v.null() {
		return Reported{}
	}
	return readReported(v, data, majorUnits)
}

// maxBrief limits how many bytes of a text are read: a list has hundreds of events, and anybody can send long ones.
const maxBrief = 1_000

// brief is [value.display] of the beginning of a value.
func (v *value) brief() Text {
	if s := v.plain(); len(s) > maxBrief {
		return (&value{raw: `"`, decoded: s[:maxBrief], secrets: v.secrets}).display()
	}
	return v.display()
}

// member is the first member of an object with one of some names, in any letter case. [readStrict] rejects two
// that differ in nothing else.
func (v *value) member(names ...string) *value {
	if v.kind() != '{' {
		return nil
	}
	for _, name := range names {
		if i := slices.IndexFunc(v.keys, func(key string) bool { return strings.EqualFold(key, name) }); i >= 0 {
			return v.parts[i]
		}
	}
	return nil
}
