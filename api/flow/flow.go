// Package flow keeps the order of the steps of one payment (specification 3.3)
// as pure values: what has happened, what may happen now, and why not.
//
//  1. Initiation precedes the authentication check, finalization and status
//     verification; each of those takes the reference initiation returned.
//  2. Finalization comes after the customer has completed the authorization
//     that was asked for.
//  3. A payment of a link has to be finalized; a direct one does not.
package flow

import (
	"time"

	"paydesk/api"
)

// A Step is something a person can do about a payment.
type Step uint8

// The steps, in the order of the specification.
const (
	Initiate     Step = iota
	Authenticate      // ask whether a challenge is needed (cards)
	Authorise         // the customer's part: the bank's challenge, or the transfer
	Finalize
	Verify // ask for the status
)

// FinalizeAgain is how long after an unanswered finalize it may be repeated by
// hand (reliability, outcome of a POST).
const FinalizeAgain = 60 * time.Second

// customerPart says what is known about the customer's part.
type customerPart uint8

const (
	notNeeded customerPart = iota // nothing is asked of the customer, as far as is known
	pending                       // the customer has to act
	completed                     // the customer is said to have acted
)

// A Flow is what has happened to one payment. The zero Flow is a direct payment
// that has not been initiated. Its methods return the flow after an event and
// leave the receiver as it was.
type Flow struct {
	linked    bool
	transfer  bool
	initiated bool
	customer  customerPart
	finalized bool
	// unanswered is when a finalize went out whose outcome nobody knows.
	unresolvedAt time.Time
	state        api.State
}

// Begin is a payment before its initiation.
func Begin(channel string, link api.Alias) Flow {
	return Flow{linked: link != "", transfer: channel == api.ChannelTransfer}
}

// InitiatedElsewhere is the flow of a payment that was initiated elsewhere, of which nothing
// but the reference is known.
func InitiatedElsewhere() Flow { return Flow{initiated: true} }

// Initiated is the flow after the service took the payment.
func (f Flow) Initiated(p api.Payment) Flow {
	f.initiated = true
	if !p.BankAuth.IsZero() || !p.BankAuthRefused.Empty() || f.transfer {
		f.customer = pending
	}
	return f.Reported(p.Status.State)
}

// Authenticated is the flow after an authentication check. A check that asks
// for a challenge opens the customer's part, unless it was said to be done; one
// that asks for none settles nothing, since an address may still be open.
func (f Flow) Authenticated(a api.Authentication) Flow {
	if f.customer == notNeeded && (a.Enabled || !a.Page.IsZero()) {
		f.customer = pending
	}
	return f
}

// CustomerDone is the flow after a person said that the customer did their part.
func (f Flow) CustomerDone() Flow {
	if f.initiated && f.customer == pending {
		f.customer = completed
	}
	return f
}

// Finalized is the flow after the service took the finalization.
func (f Flow) Finalized() Flow {
	f.finalized = true
	f.unresolvedAt = time.Time{}
	return f
}

// FinalizeUnresolved is the flow after a finalization, sent at the time given,
// whose outcome nobody knows.
func (f Flow) FinalizeUnresolved(at time.Time) Flow {
	f.unresolvedAt = at
	return f
}

// Reported is the flow after the service told the state. A final state never goes
// back; PENDING means that the customer has authorised (3.1).
func (f Flow) Reported(s api.State) Flow {
	if f.state.Final() {
		return f
	}
	switch s {
	case api.ActionRequired, api.BankAuthRequired:
		if f.customer == notNeeded {
			f.customer = pending
		}
	case api.Pending, api.Successful:
		if f.customer == pending {
			f.customer = completed
		}
	case api.Unrecognised:
		return f // a word we do not know says nothing
	}
	f.state = s
	return f
}

// State is the last state that was understood.
func (f Flow) State() api.State { return f.state }

// IsFinalized reports whether the service took the finalization.
func (f Flow) IsFinalized() bool { return f.finalized }

// IsTransfer reports whether the customer pays by transfer.
func (f Flow) IsTransfer() bool { return f.transfer }

// IsLinked reports whether a link is being paid.
func (f Flow) IsLinked() bool { return f.linked }

// CustomerMustAct reports whether the customer's part is open.
func (f Flow) CustomerMustAct() bool { return f.customer == pending && !f.state.Final() }

// CustomerInvolved reports whether anything was ever asked of the customer.
func (f Flow) CustomerInvolved() bool { return f.customer != notNeeded }

// CustomerActed reports whether the customer's part was asked for and is said to be done.
func (f Flow) CustomerActed() bool { return f.customer == completed }

// NeedsFinalize reports whether the payment will not settle without being
// finalized: the link flow (specification, flow 2).
func (f Flow) NeedsFinalize() bool { return f.linked && !f.finalized && !f.state.Final() }

// Next is the step that comes next; [Verify] when only watching is left.
func (f Flow) Next() Step {
	switch {
	case !f.initiated:
		return Initiate
	case f.CustomerMustAct():
		return Authorise
	case f.NeedsFinalize():
		return Finalize
	}
	return Verify
}

// WhyNot says why a step is not open at the time given, "" when it is.
func (f Flow) WhyNot(s Step, now time.Time) string {
	if s == Initiate {
		if f.initiated {
			return "This payment was initiated already; begin a new one instead."
		}
		return ""
	}
	if !f.initiated {
		return "The payment has to be initiated first."
	}
	switch s {
	case Authenticate:
		return f.whyNotAuthenticate()
	case Authorise:
		return f.whyNotAuthorise()
	case Finalize:
		return f.whyNotFinalize(now)
	}
	return ""
}

func (f Flow) whyNotAuthenticate() string {
	switch {
	case f.transfer:
		return "Only cards have an authentication check."
	case f.state.Final():
		return "The payment is final; there is nothing to authenticate."
	}
	return ""
}

func (f Flow) whyNotAuthorise() string {
	switch {
	case f.state.Final():
		return "The payment is final; the customer has nothing to do."
	case f.customer == completed:
		return "The customer's part is done already."
	case f.customer == notNeeded:
		return "Nothing was asked of the customer."
	}
	return ""
}

func (f Flow) whyNotFinalize(now time.Time) string {
	switch {
	case f.state == api.Failed:
		return "The charge was rejected; there is nothing to finalize."
	case f.state == api.Successful:
		return "The funds are secured already; there is nothing to finalize."
	case f.finalized:
		return "The payment was finalized already."
	case f.customer == pending && f.transfer:
		return "The customer has to make the transfer first."
	case f.customer == pending:
		return "The customer has to complete the bank's check first."
	case !f.unresolvedAt.IsZero() && now.Sub(f.unresolvedAt) < FinalizeAgain:
		return "The last finalize was not answered; ask for the status, or wait a minute before repeating it."
	}
	return ""
}
