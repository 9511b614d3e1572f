// Package flow knows the order of the steps of one payment (specification 3.3). A [Flow] is a pure
// value: what has happened, what may happen now, and why not.
//
//  1. Initiation precedes the authentication check, finalization and status verification; each of
//     those takes the reference that initiation returned.
//  2. Finalization follows the customer's authorisation, if one was requested.
//  3. A payment of a link has to be finalized; a direct one does not.
package flow

import (
	"time"

	"paydesk/api"
)

// A Step is an operation on a payment, or the customer's part in it.
type Step uint8

// The steps, in the order of the specification.
const (
	Initiate     Step = iota
	Authenticate      // check whether a challenge is needed (cards)
	Authorise         // the customer's part: the bank's challenge, or the transfer
	Finalize
	Verify // check the status
)

// customerPart is the state of the customer's part.
type customerPart uint8

const (
	notNeeded customerPart = iota // nothing is required of the customer, as far as is known
	pending                       // the customer has to act
	completed                     // a person or the status reports that the customer has acted
)

// A Flow is what has happened to one payment. The zero Flow is a direct payment that has not been
// initiated. Its methods return the flow after an event and do not change the receiver.
type Flow struct {
	linked    bool
	channel   string // as it was sent; "" while it is not known
	initiated bool
	customer  customerPart
	finalized bool
	// unresolvedAt tells when a finalize was sent whose outcome is not known.
	unresolvedAt time.Time
	state        api.State
}

// Begin is a payment before its initiation.
func Begin(channel string, link api.Alias) Flow {
	return Flow{linked: link != "", channel: channel}
}

// InitiatedElsewhere is a payment that was initiated elsewhere: only its reference is known, so that
// it may have been made through any channel.
func InitiatedElsewhere() Flow { return Flow{initiated: true} }

// Initiated is the flow after the service accepted the payment.
func (f Flow) Initiated(p api.Payment) Flow {
	f.initiated = true
	if !p.BankAuth.IsZero() || !p.BankAuthRefused.Empty() || f.IsTransfer() {
		f.customer = pending
	}
	return f.Reported(p.Status.State)
}

// Authenticated is the flow after an authentication check. A check that requires a challenge opens
// the customer's part, unless that was reported as done. One that requires none changes nothing,
// since a bank URL may still be open.
func (f Flow) Authenticated(a api.Authentication) Flow {
	if f.customer == notNeeded && a.AsksCustomer() {
		f.customer = pending
	}
	return f
}

// CustomerDone is the flow after a person reported that the customer did their part.
func (f Flow) CustomerDone() Flow {
	if f.initiated && f.customer == pending {
		f.customer = completed
	}
	return f
}

// Finalized is the flow after the service accepted the finalization.
func (f Flow) Finalized() Flow {
	f.finalized = true
	f.unresolvedAt = time.Time{}
	return f
}

// FinalizeUnresolved is the flow after a finalization that was sent at the given time and whose
// outcome is not known.
func (f Flow) FinalizeUnresolved(at time.Time) Flow {
	f.unresolvedAt = at
	return f
}

// Reported is the flow after the service reported a state. A final state never changes. PENDING
// means that the customer has authorised (3.1), but a transfer is PENDING also before anybody paid.
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
		if f.customer == pending && (s == api.Successful || !f.IsTransfer()) {
			f.customer = completed
		}
	case api.Unrecognised:
		return f // an unknown word means nothing
	}
	f.state = s
	return f
}

// State is the last known state.
func (f Flow) State() api.State { return f.state }

// IsFinalized reports whether the service accepted the finalization.
func (f Flow) IsFinalized() bool { return f.finalized }

// FinalizeLostAt returns when a finalize was given up waiting for whose outcome is still not known; zero when
// there is none.
func (f Flow) FinalizeLostAt() time.Time {
	if f.finalized || f.state.Final() {
		return time.Time{}
	}
	return f.unresolvedAt
}

// FinalizeAgainAt is from when on a finalize that got no answer may be repeated; zero when there is none.
func (f Flow) FinalizeAgainAt() time.Time {
	if at := f.FinalizeLostAt(); !at.IsZero() {
		return at.Add(api.FinalizeAgain)
	}
	return time.Time{}
}

// Channel is the channel of the payment, "" while it is not known.
func (f Flow) Channel() string { return f.channel }

// IsTransfer reports whether the customer pays by transfer.
func (f Flow) IsTransfer() bool { return f.channel == api.ChannelTransfer }

// MayBeCard reports whether it is a card payment, as far as is known.
func (f Flow) MayBeCard() bool { return f.channel == "" || f.channel == api.ChannelCard }

// IsLinked reports whether the payment is for a link.
func (f Flow) IsLinked() bool { return f.linked }

// CustomerMustAct reports whether the customer's part is open.
func (f Flow) CustomerMustAct() bool { return f.customer == pending && !f.state.Final() }

// CustomerInvolved reports whether anything was ever required of the customer.
func (f Flow) CustomerInvolved() bool { return f.customer != notNeeded }

// CustomerActed reports whether the customer's part was required and is reported as done.
func (f Flow) CustomerActed() bool { return f.customer == completed }

// CustomerConfirmed reports whether the service, too, shows that the customer's part succeeded. A
// person only knows that the customer left the bank's page: they may have abandoned the check, the bank
// may have rejected it, and a transfer may never arrive.
func (f Flow) CustomerConfirmed() bool {
	switch {
	case f.customer != completed || f.state == api.Failed:
		return false
	case f.IsTransfer():
		return f.state == api.Successful
	}
	return f.finalized || f.state == api.Successful || f.state == api.Pending
}

// NeedsFinalize reports whether the payment will not settle without being finalized, as payments of
// links do not (specification, flow 2).
func (f Flow) NeedsFinalize() bool { return f.linked && !f.finalized && !f.state.Final() }

// Next is the next step; [Verify] when only the status is left to check.
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

// WhyNot returns why a step is not allowed at the given time; "" when it is.
func (f Flow) WhyNot(s Step, now time.Time) string {
	switch {
	case s == Initiate && f.initiated:
		return "This payment was already initiated; start a new one instead."
	case s == Initiate:
		return ""
	case !f.initiated:
		return "The payment must be initiated first."
	case s == Authenticate && !f.MayBeCard():
		return "Only cards have an authentication check."
	case s == Authenticate && f.state.Final():
		return "The payment is final; there is nothing to authenticate."
	case s == Authorise && f.state.Final():
		return "The payment is final; the customer has nothing to do."
	case s == Authorise && f.customer == completed:
		return "The customer has already done their part."
	case s == Authorise && f.customer == notNeeded:
		return "Nothing is required of the customer."
	case s == Finalize:
		return f.whyNotFinalize(now)
	}
	return ""
}

func (f Flow) whyNotFinalize(now time.Time) string {
	switch {
	case f.state == api.Failed:
		return "The payment failed; there is nothing to finalize."
	case f.state == api.Successful:
		return "The funds are already secured; there is nothing to finalize."
	case f.finalized:
		return "The payment was already finalized."
	case f.customer == pending && f.IsTransfer():
		return "The customer must make the transfer first."
	case f.customer == pending && f.channel == "" && f.state == api.ActionRequired:
		return "The customer must do their part first."
	case f.customer == pending && !f.MayBeCard():
		return "The customer must approve the payment first."
	case f.customer == pending:
		return "The customer must complete the bank's check first."
	case now.Before(f.FinalizeAgainAt()):
		return "The last finalize got no answer; it can be repeated from " + f.FinalizeAgainAt().Local().Format(time.TimeOnly) + " on."
	}
	return ""
}
