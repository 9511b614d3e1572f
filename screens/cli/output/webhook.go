package output

import (
	"time"

	"paydesk/api"
	"paydesk/api/export"
	"paydesk/api/webhook"
)

// Webhook is an event that was received: a hint, which is not signed and can be forged. Whether the payment has been
// paid, only paydesk status says. listen prints it again when its verdict changes.
type Webhook struct {
	// ID is what webhook show and webhook replay take.
	ID int64 `json:"id"`
	// Event is its name as received.
	Event string `json:"event,omitempty"`
	// Reference is the reference of the payment; absent where the event has no valid one.
	Reference string `json:"reference,omitempty"`
	// Claims is what the event says of the payment; absent where it was not understood.
	Claims *Claims `json:"claims,omitempty"`
	// Problem is why it was not understood.
	Problem string `json:"problem,omitempty"`
	// Verdict is what the service says about it: waiting, agrees, no amount, disagrees, unknown, not asked or not
	// understood.
	Verdict string `json:"verdict"`
	// Differs names what the service contradicts: status, amount, currency.
	Differs []string `json:"differs,omitempty"`
	// NotAsked is why the service could not be asked the last time: the verdict comes from its last answer.
	NotAsked string `json:"not_asked,omitempty"`
	// ClaimedEarly is whether it claimed a success before the service reported one.
	ClaimedEarly bool `json:"claimed_early"`
	// Service is what the service answered last about the reference; absent before that.
	Service *Answer `json:"service,omitempty"`
	// First is when it was delivered first.
	First *time.Time `json:"first"`
	// Last is when it was delivered last.
	Last *time.Time `json:"last"`
	// Deliveries is how often it was delivered.
	Deliveries int `json:"deliveries"`
	// Bytes is the size of its body.
	Bytes int `json:"bytes"`
	// Masked is whether something like a card number or a key was masked in it, so that it is not sent to a target.
	Masked bool `json:"masked"`
	// Forwards is how often it was sent to a target.
	Forwards int `json:"forwards"`
}

// Claims is what an event says of a payment, unverified.
type Claims struct {
	// Outcome is the documented status that the event claims, or UNRECOGNISED.
	Outcome string `json:"outcome"`
	// Word is the status as received.
	Word string `json:"word,omitempty"`
	// Contradicts is whether the name of the event claims another outcome than its status.
	Contradicts bool   `json:"contradicts"`
	Amount      *Money `json:"amount,omitempty"`
	// AmountText is the amount and currency as received, where they cannot be read.
	AmountText string `json:"amount_text,omitempty"`
	// Paid is how much was paid.
	Paid *Money `json:"paid,omitempty"`
	// At is when it says that it happened.
	At        string `json:"at,omitempty"`
	Channel   string `json:"channel,omitempty"`
	Narration string `json:"narration,omitempty"`
	// Link is the alias of a payment link.
	Link        string `json:"link,omitempty"`
	Environment string `json:"environment,omitempty"`
	Source      string `json:"source,omitempty"`
}

// Answer is what the status endpoint answered about the reference of an event.
type Answer struct {
	At *time.Time `json:"at"`
	// Word is the status as the service has it; absent where it gave none.
	Word string `json:"word,omitempty"`
	// Means is the documented status that the word stands for, or UNRECOGNISED.
	Means  string `json:"means,omitempty"`
	Amount *Money `json:"amount,omitempty"`
	// Unknown is whether the service does not know the payment.
	Unknown bool `json:"unknown"`
}

// WebhookDetail is all that is stored of an event.
type WebhookDetail struct {
	Webhook
	// Headers are the headers of its first delivery, with credentials hidden.
	Headers []Header `json:"headers"`
	// Body is its body as text; bytes that are no text are replaced. webhook show --body prints it as it is.
	Body string `json:"body"`
	// Delivered is when it was delivered, the last 100 times, the latest first.
	Delivered []time.Time `json:"delivered"`
	// Sent is what became of sending it to targets, the last 20 times, the latest first.
	Sent []Sending `json:"sent"`
}

// Header is a line of the header of a request.
type Header struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Delivery is one delivery of an event, as it arrives.
type Delivery struct {
	Webhook
	// Number is the number of the delivery, in the order of arrival.
	Number int64 `json:"number"`
	// At is when it arrived.
	At *time.Time `json:"at"`
}

// Forward is that an event was sent to a target.
type Forward struct {
	// ID is the ID of the event.
	ID int64 `json:"id"`
	// Event is the name of the event.
	Event     string `json:"event,omitempty"`
	Reference string `json:"reference,omitempty"`
	Sending
}

// Sending is what became of sending an event to a target.
type Sending struct {
	At *time.Time `json:"at,omitempty"`
	// Target is the URL.
	Target string `json:"target"`
	// Replay is whether a person asked for it, and it was not passed on as it arrived.
	Replay bool `json:"replay"`
	// Accepted is whether the target answered 2xx.
	Accepted bool `json:"accepted"`
	// Answer is the HTTP status of the answer; absent where there was none.
	Answer int `json:"answer,omitempty"`
	// Milliseconds is how long it took.
	Milliseconds int64 `json:"milliseconds"`
	// Problem is what went wrong, in a sentence.
	Problem string `json:"problem,omitempty"`
}

// NewWebhook is an event as an object.
func NewWebhook(r webhook.Record) Webhook {
	o := Webhook{
		ID: r.ID, Event: export.Masked(r.Name), Reference: r.Reference.String(), Problem: export.Masked(r.Problem),
		Verdict: string(r.Verdict), NotAsked: export.Masked(api.Clean(r.Answer.Problem)), ClaimedEarly: r.Early, Service: answerOf(r.Answer), First: Time(r.First), Last: Time(r.Last),
		Deliveries: r.Deliveries, Bytes: r.Size, Masked: r.Masked, Forwards: r.Forwards,
	}
	for _, d := range r.Differs {
		o.Differs = append(o.Differs, string(d))
	}
	if r.Understood() {
		o.Claims = claimsOf(r.WebhookEvent)
	}
	return o
}

func claimsOf(e api.WebhookEvent) *Claims {
	return &Claims{
		Outcome: e.Says.String(), Word: export.Masked(e.Status.Text), Contradicts: e.Contradicts,
		Amount: NewMoney(e.Amount.Amount), AmountText: export.Masked(e.Amount.Text), Paid: NewMoney(e.Paid.Amount),
		At: export.Masked(e.Claimed.Text), Channel: export.Masked(e.Channel), Narration: export.Masked(e.Narration),
		Link: string(e.Link), Environment: export.Masked(e.Environment), Source: export.Masked(e.Source),
	}
}

// answerOf is the answer of the service; nil before there is one.
func answerOf(a webhook.Answer) *Answer {
	if a.At.IsZero() {
		return nil
	}
	o := &Answer{At: Time(a.At), Amount: NewMoney(a.Amount), Unknown: a.NotFound}
	if !a.Status.Text.Empty() {
		o.Word, o.Means = export.Masked(a.Status.Text), a.Status.State.String()
	}
	return o
}
