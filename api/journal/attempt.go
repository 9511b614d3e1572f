package journal

import (
	"time"

	"paydesk/api"
	"paydesk/api/money"
)

// An ID names an attempt: ours, made before anything is sent. It is ten characters of
// Crockford's base 32 in lower case, drawn at random. The service makes the reference, and
// only in its answer; this is what there is when the answer is lost.
type ID string

// Short is what a person types to say which attempt is meant: the first four characters.
func (i ID) Short() string { return string(i[:min(4, len(i))]) }

// A Kind is what was attempted.
type Kind string

// The kinds: the three calls that change something.
const (
	Initiate   Kind = "initiate"
	CreateLink Kind = "link"
	Finalize   Kind = "finalize"
)

// An Outcome is our knowledge of a POST. It is never their word for a payment: that is an
// [api.Status].
type Outcome = api.Outcome

// The outcomes. [Sent] is written before the first byte leaves and stands until one of the
// others, which are those of [api.OutcomeOf], does.
const (
	Sent       Outcome = "sent"
	Accepted           = api.OutcomeAccepted
	Refused            = api.OutcomeRefused
	NotSent            = api.OutcomeNotSent
	Unresolved         = api.OutcomeUnresolved
)

// A Decision is what a person decided about an attempt that was unresolved.
type Decision string

// The verdicts. "Not found" is open only [NotFoundAfter] the sending (R46).
const (
	Undecided Decision = ""
	Found     Decision = "found"
	NotFound  Decision = "not found"
	GaveUp    Decision = "gave up"
)

// NotFoundAfter is how old an attempt must be before a person may say that it was never
// made (R46), and LookAlikeWithin how far back a look-alike is looked for (R44).
const (
	NotFoundAfter   = 10 * time.Minute
	DuplicateWithin = 10 * time.Minute
)

// An Operator is who sat at the console.
type Operator struct {
	User string // of the operating system
	Host string // name of this machine
	SSH  string // address of the SSH client; "" when there is none
}

// A Destination is where something was sent: the profile, its environment word (TEST, LIVE,
// SANDBOX) and the host of the service.
type Destination struct{ Profile, Environment, Host string }

// An Attempt is one POST and what came of it, as far as it is known.
type Attempt struct {
	ID   ID
	Kind Kind
	At   time.Time // when it was written down, just before it was sent
	By   Operator
	Destination

	Amount       money.Amount  // zero for [Finalize] and links whose customer names the amount
	Channel      string        // "" unless Kind is [Initiate]
	Link         api.Alias     // the link paid or, once it is known, created
	Card         string        // the last four digits at most; "" for other channels
	OwnReference string        // ours, "" when none was sent
	Reference    api.Reference // theirs; "" while it is not known

	Outcome  Outcome
	Answered time.Time // when the outcome was written; zero while it is [Sent]
	Why      string    // what is known of an outcome that is no acceptance, in our words

	Verdict   Decision // of a person, about an unresolved attempt
	DecidedBy Operator
	DecidedAt time.Time

	// Status is the last word of the service about Reference, and a final one stands
	// whatever is told after it; SeenAt is when it was last told. Zero when none was.
	Status api.Status
	SeenAt time.Time

	// What a payment needs to go on where it was.
	Bank         api.Address   // where the customer authorises; zero when nowhere
	BankAsked    bool          // the customer was asked to authorise, with or without an address
	Account      *api.Transfer // where the customer transfers to; nil for other channels
	CustomerDone bool          // a person said that the customer did their part
	Finalized    bool          // a finalize of Reference was accepted
	FinalizeLost time.Time     // the last finalize that nobody answered; zero when none

	Made *api.Link // the link that was created; nil for other kinds, and while nobody knows
}

// Unknown reports whether nobody knows what became of the attempt, and no person has
// decided about it.
func (a Attempt) Unknown() bool { return a.Outcome == Unresolved && a.Verdict == Undecided }

// UnderWay reports whether it is a payment that was taken, or found, and is not final yet.
func (a Attempt) UnderWay() bool {
	return a.Kind == Initiate && a.Reference != "" && !a.Status.State.Final()
}

// An Event is one line of an attempt's timeline. Events are only ever added.
type Event struct {
	At     time.Time
	Until  time.Time // a status: when it was last told the same; else zero
	Times  int       // a status: how often it was told without a break; else 1
	What   string    // "sent", an [Outcome], "status", "finalize sent", "finalize accepted", "customer done", "decided" …
	Detail string    // one cleaned line: the status word, the reason, the verdict
	By     Operator
	Source string // where it comes from: "this console", "initiate", "status", "list", "person" …
}

// A Payer is who pays, as far as it tells payments apart. Only keyed hashes of it are kept
// (R104).
type Payer struct{ Email, Phone string }

// An Answer is what came of an attempt.
type Answer struct {
	Outcome Outcome
	Why     string       // in our words, cleaned, at most 200 bytes
	Payment *api.Payment // of an accepted [Initiate]
	Link    *api.Link    // of an accepted [CreateLink]
}
