package ledger

import (
	"strings"
	"time"

	"paydesk/api"
	"paydesk/api/money"
)

// An ID identifies an attempt: ten random characters of Crockford's base 32 in lower case,
// assigned before anything is sent. The service assigns the reference only in its answer;
// the ID is what remains when that answer is lost.
type ID string

// Short returns the first four characters, which an operator types to name an attempt.
func (i ID) Short() string { return string(i[:min(4, len(i))]) }

// An Outcome tells what is known about a POST. It is not the service's status of a payment,
// which is an [api.Status].
type Outcome = api.Outcome

// The outcomes. [Sent] is recorded before the first byte is sent and stands until one of the
// others, which are those of [api.OutcomeOf], replaces it.
const (
	Sent       Outcome = "sent"
	Accepted           = api.OutcomeAccepted
	Refused            = api.OutcomeRefused
	NotSent            = api.OutcomeNotSent
	Unresolved         = api.OutcomeUnresolved
)

// A Decision tells what the operator decided about an unresolved attempt, a payment under way, or a link that
// differs.
type Decision string

// The decisions. [NotFound] is possible only [NotFoundAfter] the sending.
const (
	Undecided Decision = ""
	Found     Decision = "found"
	NotFound  Decision = "not found"
	GaveUp    Decision = "gave up"
	// NotFollowed applies to a payment under way whose end nothing waits for.
	NotFollowed Decision = "no longer followed"
	// DifferenceRead applies to a created link: a person has read how it differs from the request.
	DifferenceRead Decision = "difference read"
)

// NotFoundAfter sets how old an attempt must be before the operator may decide [NotFound]: the
// service may list a payment late.
const NotFoundAfter = 10 * time.Minute

// An Operator is the person at the console.
type Operator struct {
	User string `json:"user,omitzero"` // of the operating system
	Host string `json:"host,omitzero"` // name of this machine
	SSH  string `json:"ssh,omitzero"`  // address of the SSH client; "" when there is none
	// Login is the name that the database of a team gave, whatever the console says; "" for a file.
	Login string `json:"login,omitzero"`
}

// String formats as "ada on desk1 from 192.0.2.7", and " as " the login where that has another name. It is not cleaned.
func (o Operator) String() string {
	words := o.User
	if o.Host != "" {
		words += " on " + o.Host
	}
	if o.SSH != "" {
		words += " from " + o.SSH
	}
	if o.Login != "" && o.Login != o.User {
		words += " as " + o.Login
	}
	return strings.TrimSpace(words)
}

// Stored is the operator as it is recorded.
func (o Operator) Stored() Operator {
	return Operator{Stored(o.User), Stored(o.Host), Stored(o.SSH), Stored(o.Login)}
}

// An Attempt is one POST and everything known about it.
type Attempt struct {
	ID   ID        `json:"id,omitzero"`
	Kind Kind      `json:"kind,omitzero"`
	At   time.Time `json:"at,omitzero"` // when it was recorded, just before it was sent
	By   Operator  `json:"by,omitzero"`
	Destination

	Amount       money.Amount  `json:"amount,omitzero"`        // zero for [Finalize] and links whose customer enters the amount
	Channel      string        `json:"channel,omitzero"`       // "" unless Kind is [Initiate]
	Link         api.Alias     `json:"link,omitzero"`          // the link paid or, once it is known, created
	Card         string        `json:"card,omitzero"`          // the last four digits at most; "" for other channels
	OwnReference string        `json:"own_reference,omitzero"` // ours; "" when none was sent
	Reference    api.Reference `json:"reference,omitzero"`     // the service's; "" while it is not known

	Outcome    Outcome   `json:"outcome,omitzero"`
	AnsweredAt time.Time `json:"answered_at,omitzero"` // when the outcome was recorded; zero while it is [Sent]
	Why        string    `json:"why,omitzero"`         // the reason for an outcome other than accepted

	Lease     Lease     `json:"-"`                   // of an unresolved attempt: who finds out what became of it
	Decision  Decision  `json:"decision,omitzero"`   // the latest about an unresolved attempt
	DecidedBy Operator  `json:"decided_by,omitzero"` // also of one that was taken back
	DecidedAt time.Time `json:"decided_at,omitzero"`
	// DecidedBefore are the decisions before, newest first, each with its time in UTC and who made it.
	DecidedBefore string `json:"decided_before,omitzero"`

	// Named is a reference or an alias in an answer that nothing else can be believed of: a hint for a
	// person who looks for what was made.
	Named string `json:"named,omitzero"`

	// Fees and Total are as the answer to the initiation stated them, in minor units of the currency of
	// Amount; 0 when it stated none.
	Fees     int64    `json:"fees,omitzero"`
	Total    int64    `json:"total,omitzero"`
	Mismatch Mismatch `json:"mismatch,omitzero"` // the service answered something else than was asked

	// Status is the last status the service returned for Reference; a final one is never
	// replaced. StatusAt tells when it last returned it. Both are zero when it returned none.
	Status   api.Status `json:"status,omitzero"`
	StatusAt time.Time  `json:"status_at,omitzero"`
	Changed  Change     `json:"changed,omitzero"` // how Status last changed
	// StatusLogin names the login that stated Status, as the database of a team gave it; "" for a file.
	StatusLogin string `json:"status_login,omitzero"`
	// AmountUnstated is set while Status is a success whose last answer had no amount that can be read.
	AmountUnstated bool `json:"amount_unstated,omitzero"`
	// Received is what the customer has paid so far, by the last answer that says; zero where none does.
	Received api.Reported `json:"received,omitzero"`

	// What is needed to continue a payment.
	BankAuth             api.Address   `json:"bank_url,omitzero"`         // URL where the customer authorises; zero when there is none
	BankAuthRefused      string        `json:"bank_url_refused,omitzero"` // why the bank's URL in the answer cannot be used; cleaned
	Challenged           bool          `json:"challenged,omitzero"`       // the customer was asked to authorise, with or without a URL
	Account              *api.Transfer `json:"account,omitzero"`          // where the customer transfers to; nil for other channels
	CustomerDone         bool          `json:"customer_done,omitzero"`    // the operator confirmed that the customer has done their part
	Finalized            bool          `json:"finalized,omitzero"`        // a finalize of Reference was accepted
	FinalizeUnresolvedAt time.Time     `json:"finalize_lost_at,omitzero"` // the last unresolved finalize; zero when there is none

	Draft       api.LinkDraft `json:"draft,omitzero"`        // the link to create; without a name for other kinds
	CreatedLink *api.Link     `json:"created_link,omitzero"` // the link that was created; nil for other kinds, and while it is not known
}

// IsUnresolved reports whether the outcome is unresolved and the operator has not decided.
func (a Attempt) IsUnresolved() bool { return a.Outcome == Unresolved && a.Decision == Undecided }

// MayBeFound reports whether its payment may still be found, even after a person recorded that it was not.
func (a Attempt) MayBeFound() bool {
	return a.Outcome == Unresolved && a.Decision != Found && a.Decision != NotFollowed
}

// MustBeRead reports whether it created a link that differs from the request, and no person has read
// how.
func (a Attempt) MustBeRead() bool {
	return a.CreatedLink != nil && len(a.CreatedLink.Differs) > 0 && a.Decision != DifferenceRead
}

// LacksURL reports whether the service returned no URL for a link that is safe to open. A link that a person found by its alias has
// none either, and does not count.
func (a Attempt) LacksURL() bool {
	return a.CreatedLink != nil && a.CreatedLink.Page.IsZero() && a.Decision != Found
}

// UnderWay reports whether it is a payment that was accepted, or found, is not final yet, and is followed.
func (a Attempt) UnderWay() bool {
	return a.Kind == Initiate && a.Reference != "" && !a.Status.State.Final() &&
		a.Mismatch.Decision != NotOurs && a.Decision != NotFollowed
}

// CustomerChooses reports whether it is a link whose customer was to choose the amount.
func (a Attempt) CustomerChooses() bool {
	return a.Kind == CreateLink && a.Draft.AmountType == api.Dynamic
}

// AsLink returns the created link; for one that may have been created, what it was to charge.
func (a Attempt) AsLink() api.Link {
	if a.CreatedLink != nil {
		return *a.CreatedLink
	}
	return api.Link{AmountType: a.Draft.AmountType, Amount: a.Amount, HasAmount: !a.Amount.Currency.IsZero()}
}

// LinkAmount says what [Attempt.AsLink] charges, in words: an amount, or that the customer chooses it.
func (a Attempt) LinkAmount() string {
	switch l := a.AsLink(); {
	case l.AmountType == api.Dynamic && l.HasAmount:
		return l.AmountType.In(l.Amount.Currency)
	case l.AmountType == api.Dynamic:
		return l.AmountType.In(a.Amount.Currency)
	case !l.HasAmount:
		return "unknown"
	default:
		return l.Amount.String()
	}
}

// Circumstances returns what the meaning of its status depends on.
func (a Attempt) Circumstances(now time.Time) api.Circumstances {
	unpaid := a.Kind == Initiate && a.IsTransfer() && !a.CustomerDone && !a.Status.State.Final() && !a.Received.Brought()
	return api.Circumstances{Channel: a.Channel, Account: a.Account, AwaitsFinalize: a.NeedsFinalize(), Unpaid: unpaid, InDoubt: a.Mismatch.InDoubt(), Now: now}
}

// CameToNothing reports whether it is a payment that is known to come to nothing: it was never
// made, or failed. A failure of one with a mismatch says nothing: what was charged is unknown.
func (a Attempt) CameToNothing() bool {
	switch {
	case a.Kind != Initiate || !a.Mismatch.IsZero():
		return false
	case a.Outcome == Refused, a.Outcome == NotSent, a.Outcome == Unresolved && a.Decision == NotFound:
		return true
	}
	return a.Status.State == api.Failed
}

// LatestMade is the latest time at which the service may have made the payment: when it was accepted, or, where no
// answer is known, when a request can no longer be under way. A list that was read from then on has it.
func (a Attempt) LatestMade() time.Time {
	if a.Outcome != Accepted || a.AnsweredAt.IsZero() {
		return a.At.Add(SendTime)
	}
	if a.AnsweredAt.Before(a.At) { // the clock was set back meanwhile
		return a.At
	}
	return a.AnsweredAt
}

// Asked returns what the answers about the attempt's payment are compared with. Of one made elsewhere only the reference, the
// amount in the first answer that stated one, and the status are known.
func (a Attempt) Asked() api.Asked {
	if a.Kind == Known {
		return api.Asked{Reference: a.Reference, Earlier: a.Amount, Status: a.Status}
	}
	asked := api.Asked{
		Reference: a.Reference, OwnReference: a.OwnReference, Amount: a.Amount,
		Fees: a.Amount, Total: a.Amount, Status: a.Status,
	}
	asked.Fees.Minor, asked.Total.Minor = a.Fees, a.Total
	return asked
}
