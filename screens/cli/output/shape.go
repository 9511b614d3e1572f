package output

import (
	_ "embed"
	"strings"
	"time"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/api/money"
)

// A Schema is the name and version of an object.
type Schema string

// An Object is what is printed on a line of its own. It names its schema first.
type Object interface{ Schema() Schema }

func (Refusal) Schema() Schema        { return "paydesk.refusal/1" }
func (Doctor) Schema() Schema         { return "paydesk.doctor/1" }
func (Journal) Schema() Schema        { return "paydesk.journal/1" }
func (Audit) Schema() Schema          { return "paydesk.audit/1" }
func (PaymentStatus) Schema() Schema  { return "paydesk.status/1" }
func (Link) Schema() Schema           { return "paydesk.link/1" }
func (Profile) Schema() Schema        { return "paydesk.profile/1" }
func (Config) Schema() Schema         { return "paydesk.config/1" }
func (Key) Schema() Schema            { return "paydesk.key/1" }
func (Attempt) Schema() Schema        { return "paydesk.attempt/1" }
func (AttemptHistory) Schema() Schema { return "paydesk.attempt-history/1" }
func (Decision) Schema() Schema       { return "paydesk.resolve/1" }
func (Validation) Schema() Schema     { return "paydesk.validate/1" }
func (Finalization) Schema() Schema   { return "paydesk.finalize/1" }
func (Authentication) Schema() Schema { return "paydesk.authenticate/1" }
func (Transaction) Schema() Schema    { return "paydesk.transaction/1" }
func (Transactions) Schema() Schema   { return "paydesk.transactions/1" }
func (Totals) Schema() Schema         { return "paydesk.totals/1" }
func (Webhook) Schema() Schema        { return "paydesk.webhook/1" }
func (WebhookDetail) Schema() Schema  { return "paydesk.webhook_detail/1" }
func (Delivery) Schema() Schema       { return "paydesk.delivery/1" }
func (Forward) Schema() Schema        { return "paydesk.forward/1" }
func (Sandbox) Schema() Schema        { return "paydesk.sandbox/1" }

// The events of collect come in this order. Between a challenge and the result there come those of [PaymentStatus], one for each change.
func (Initiated) Schema() Schema { return "paydesk.collect.initiated/1" }
func (Challenge) Schema() Schema { return "paydesk.collect.challenge/1" }
func (Collected) Schema() Schema { return "paydesk.collect.result/1" }

// Money is an amount.
type Money struct {
	// Amount is in major units, with as many decimals as the currency has; absent where the currency is
	// not known.
	Amount   string `json:"amount,omitempty"`
	Currency string `json:"currency"`
	// Minor is the same amount in minor units, a whole number.
	Minor string `json:"minor"`
	// Exponent is the number of decimals of the currency; absent where it is not known.
	Exponent *int `json:"exponent,omitempty"`
}

// NewMoney is an amount as an object; nil where there is none.
func NewMoney(a money.Amount) *Money {
	if a == (money.Amount{}) {
		return nil
	}
	m := &Money{Currency: a.Currency.Code(), Minor: a.MinorText()}
	if !a.Currency.IsZero() {
		digits := a.Currency.Exponent()
		m.Amount, m.Exponent = a.Major(), &digits
	}
	return m
}

// Status is a payment's status.
type Status struct {
	// Word is what the service says, cleaned.
	Word string `json:"word"`
	// Means is the documented status that the word stands for: INITIATED, REQUIRE_USER_OFFLINE_ACTION, REQUIRE_BANK_AUTH,
	// PENDING, SUCCESSFUL, FAILED, CLAIMED or UNRECOGNISED. A final word is CLAIMED where only a later check makes it
	// final.
	Means string `json:"means"`
	// Final is whether the status does not change any more.
	Final bool `json:"final"`
	// Success is whether the money is secured. It is never true beside a mismatch.
	Success bool `json:"success"`
}

// Time is a time; nil where there is none, or one that RFC 3339 has no form for: the service may name any.
func Time(t time.Time) *time.Time {
	local := t.Local()
	if t.IsZero() || local.Year() < 0 || local.Year() > 9999 {
		return nil
	}
	return &local
}

// Stamp is a time of an object as RFC 3339; "" where there is none.
func Stamp(t *time.Time) string {
	if t == nil {
		return ""
	}
	return t.Format(time.RFC3339)
}

// NewStatus returns a status as an object. doubtful is set where something contradicts it, such as a mismatch: it is
// no success then.
func NewStatus(s api.Status, doubtful bool) *Status {
	return &Status{Word: s.Text.Line(0), Means: s.State.String(), Final: s.State.Final(), Success: s.State == api.Successful && !doubtful}
}

// Mismatch is that the service answered something else about a payment than was asked.
type Mismatch struct {
	// Differs names what differs: amount, currency, reference, status. It is empty where an earlier answer
	// differed, of which no more is kept.
	Differs []string `json:"differs"`
	// Decided is what a person decided about it, answer is right, charged as asked or not our payment; absent before that.
	Decided string `json:"decided,omitempty"`
}

// NewMismatch is a mismatch as an object; nil where there is none.
func NewMismatch(m ledger.Mismatch) *Mismatch {
	if m.IsZero() {
		return nil
	}
	differs := strings.Split(m.What.String(), ", ")
	if differs[0] == "" {
		differs = []string{}
	}
	return &Mismatch{Differs: differs, Decided: string(m.Decision)}
}

// members is written by the test of this package with -update, from the comments of this package.
//
//go:embed testdata/members.golden
var members string

// Members describes every object and its members, in the words of this package's comments.
func Members() string { return members }

// Objects names the objects that are printed.
func Objects() (names []string) {
	for line := range strings.Lines(members) {
		if name, printed := strings.CutPrefix(line, "paydesk."); printed {
			name, _, _ = strings.Cut(name, "/")
			names = append(names, name)
		}
	}
	return names
}

// Described describes the objects of a name, with or without paydesk. and a version: printed, or in others. It is ""
// where there is none.
func Described(name string) string {
	name, _, _ = strings.Cut(strings.TrimPrefix(name, "paydesk."), "/")
	var described []string
	parts := strings.Split(strings.TrimSpace(members), "\n\n")
	for i := 0; i+1 < len(parts); i += 2 {
		if strings.HasPrefix(parts[i], "paydesk."+name+"/") || strings.HasPrefix(parts[i], name+", in others") {
			described = append(described, parts[i], parts[i+1])
		}
	}
	return strings.Join(described, "\n\n")
}

// Attempt is something that was sent from here.
type Attempt struct {
	ID string     `json:"id"`
	At *time.Time `json:"at"`
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
		ID: string(a.ID), At: Time(a.At), Kind: string(a.Kind), Outcome: string(a.Outcome), Decision: string(a.Decision),
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
	Attempt string `json:"attempt"`
	// Decision is found, not found, gave up, no longer followed, answer is right, charged as asked, not our payment, undecided again where
	// one about a mismatch was taken back, or empty where another was.
	Decision string `json:"decision"`
	// Reference is the payment's, or the alias of the link, that it was found as.
	Reference string `json:"reference,omitempty"`
}
