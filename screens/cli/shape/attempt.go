package shape

import (
	"time"

	"paydesk/api/ledger"
)

// The schemas of what was recorded.
const (
	AttemptSchema        Schema = "paydesk.attempt/1"
	AttemptHistorySchema Schema = "paydesk.attempt-history/1"
	DecisionSchema       Schema = "paydesk.resolve/1"
)

// Attempt is something that was sent from here.
type Attempt struct {
	Schema Schema     `json:"schema"`
	ID     string     `json:"id"`
	At     *time.Time `json:"at"`
	// Kind is initiate, link or finalize.
	Kind string `json:"kind"`
	// Outcome is sent, accepted, refused, not sent or unresolved.
	Outcome string `json:"outcome"`
	// Decision is what a person decided about it: found, not found, gave up, no longer followed or difference read;
	// absent before that.
	Decision string `json:"decision,omitempty"`
	// Unresolved is set while it is not known what the attempt did.
	Unresolved bool `json:"unresolved"`
	// Amount is what was asked for; absent where the customer chooses.
	Amount  *Money `json:"amount,omitempty"`
	Channel string `json:"channel,omitempty"`
	// Card is the last four digits.
	Card      string    `json:"card,omitempty"`
	Reference string    `json:"reference,omitempty"`
	Link      string    `json:"link,omitempty"`
	Name      string    `json:"name,omitempty"`
	Status    *Status   `json:"status,omitempty"`
	Mismatch  *Mismatch `json:"mismatch,omitempty"`
	// Operator is who sent it.
	Operator    string `json:"operator,omitempty"`
	Profile     string `json:"profile,omitempty"`
	Environment string `json:"environment,omitempty"`
	// Service is the host that it was sent to.
	Service string `json:"service,omitempty"`
}

// NewAttempt is an attempt as an object.
func NewAttempt(a ledger.Attempt) Attempt {
	o := Attempt{
		Schema: AttemptSchema, ID: string(a.ID), At: Time(a.At), Kind: string(a.Kind), Outcome: string(a.Outcome), Decision: string(a.Decision),
		Unresolved: a.IsUnresolved(), Channel: a.Channel, Card: a.Card, Reference: a.Reference.String(), Link: string(a.Link), Name: a.Draft.Name,
		Mismatch: NewMismatch(a.Mismatch), Operator: a.By.String(), Profile: a.Profile, Environment: a.Environment, Service: a.Host,
	}
	if !a.CustomerChooses() {
		o.Amount = NewMoney(a.Amount)
	}
	if !a.Status.Text.Empty() {
		o.Status = NewStatus(a.Status, !a.Mismatch.IsZero() || a.IsUnresolved())
	}
	return o
}

// AttemptHistory is an attempt with what happened to it, oldest first.
type AttemptHistory struct {
	Attempt
	History []Event `json:"history"`
}

// Event is something that happened to an attempt.
type Event struct {
	At *time.Time `json:"at"`
	// What is the kind of event, such as status or decided.
	What string `json:"what"`
	// Words say it in a sentence.
	Words string `json:"words"`
}

// Decision is what a person decided about an attempt.
type Decision struct {
	Schema  Schema `json:"schema"`
	Attempt string `json:"attempt"`
	// Decision is found, not found, gave up, no longer followed, answer is right, charged as asked, not our payment, undecided again where
	// one about a mismatch was taken back, or empty where another was.
	Decision string `json:"decision"`
	// Reference is the payment's, or the alias of the link, that it was found as.
	Reference string `json:"reference,omitempty"`
}
