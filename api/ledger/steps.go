package ledger

import (
	"time"

	"paydesk/api"
)

// The steps of one payment are in an order (specification 3.3), which an [Entry] knows: what has happened, what may happen
// now, and why not.
//
//  1. Initiation precedes the authentication check, finalization and status verification; each of
//     those takes the reference that initiation returned.
//  2. Finalization follows the customer's authorisation, if one was requested.
//  3. A payment of a link has to be finalized; a direct one does not.
//
// Of a payment that was made elsewhere only the reference is known, so that it may have been made through any channel.

// A Step is an operation on a payment, or the customer's part in it.
type Step uint8

// The steps after the initiation, in the order of the specification.
const (
	ToAuthenticate Step = iota // check whether a challenge is needed (cards)
	ToAuthorise                // the customer's part: the bank's challenge, or the transfer
	ToFinalize
	ToVerify // check the status
)

func (a Attempt) isInitiated() bool { return a.Kind != Initiate || a.Reference != "" }

// IsTransfer reports whether the customer pays by transfer.
func (a Attempt) IsTransfer() bool { return a.Channel == api.ChannelTransfer }

// MayBeCard reports whether it is a card payment, as far as is known.
func (a Attempt) MayBeCard() bool { return a.Channel == "" || a.Channel == api.ChannelCard }

// CustomerInvolved reports whether anything was ever required of the customer.
func (a Attempt) CustomerInvolved() bool { return a.Challenged || a.IsTransfer() && a.isInitiated() }

// customerActed reports whether a person or the status says that the customer's part is done. PENDING means that the customer
// has authorised (3.1), but a transfer is PENDING also before anybody paid.
func (a Attempt) customerActed() bool {
	s := a.Status.State
	return a.CustomerInvolved() && (a.CustomerDone || s == api.Successful || s == api.Pending && !a.IsTransfer())
}

// CustomerMustAct reports whether the customer's part is open.
func (a Attempt) CustomerMustAct() bool {
	return a.CustomerInvolved() && !a.customerActed() && !a.Status.State.Final()
}

// CustomerConfirmed reports whether the service, too, shows that the customer's part succeeded. A
// person only knows that the customer left the bank's page: they may have abandoned the check, the bank
// may have rejected it, and a transfer may never arrive.
func (a Attempt) CustomerConfirmed() bool {
	switch s := a.Status.State; {
	case !a.customerActed() || s == api.Failed:
		return false
	case a.IsTransfer():
		return s == api.Successful
	default:
		return a.Finalized || s == api.Successful || s == api.Pending
	}
}

// NeedsFinalize reports whether the payment will not settle without being finalized, as payments of
// links do not (specification, flow 2).
func (a Attempt) NeedsFinalize() bool {
	return a.Kind == Initiate && a.Link != "" && !a.Finalized && !a.Status.State.Final()
}

// FinalizeLostAt returns when a finalize was given up waiting for whose outcome is still not known; zero when
// there is none.
func (a Attempt) FinalizeLostAt() time.Time {
	if a.Finalized || a.Status.State.Final() {
		return time.Time{}
	}
	return a.FinalizeUnresolvedAt
}

// FinalizeAgainAt is from when on a finalize that got no answer may be repeated; zero when there is none. a is the payment, or that
// finalize itself.
func (a Attempt) FinalizeAgainAt() time.Time {
	at := a.FinalizeLostAt()
	if a.Kind == Finalize {
		at = a.lostAt()
	}
	if at.IsZero() {
		return at
	}
	return at.Add(api.FinalizeAgain)
}

// NextStep is the next step; [ToVerify] when only the status is left to check.
func (a Attempt) NextStep() Step {
	switch {
	case a.CustomerMustAct():
		return ToAuthorise
	case a.isInitiated() && a.NeedsFinalize():
		return ToFinalize
	}
	return ToVerify
}

// WhyNot returns why a step is not allowed at the given time; "" when it is.
func (a Attempt) WhyNot(s Step, now time.Time) string {
	switch final := a.Status.State.Final(); {
	case !a.isInitiated():
		return "The payment must be initiated first."
	case s == ToAuthenticate && !a.MayBeCard():
		return "Only cards have an authentication check."
	case s == ToAuthenticate && final:
		return "The payment is final; there is nothing to authenticate."
	case s == ToAuthorise && final:
		return "The payment is final; the customer has nothing to do."
	case s == ToAuthorise && !a.CustomerInvolved():
		return "Nothing is required of the customer."
	case s == ToAuthorise && a.customerActed():
		return "The customer has already done their part."
	case s == ToFinalize:
		return a.whyNotFinalize(now)
	}
	return ""
}

func (a Attempt) whyNotFinalize(now time.Time) string {
	switch state, waits := a.Status.State, a.CustomerMustAct(); {
	case a.Mismatch.Decision == NotOurs:
		return "It was decided that this is not our payment; there is nothing to finalize."
	case state == api.Failed:
		return "The payment failed; there is nothing to finalize."
	case state == api.Successful:
		return "The funds are already secured; there is nothing to finalize."
	case a.Finalized:
		return "The payment was already finalized."
	case waits && a.IsTransfer():
		return "The customer must make the transfer first."
	case waits && a.Channel == "" && state == api.ActionRequired:
		return "The customer must do their part first."
	case waits && !a.MayBeCard():
		return "The customer must approve the payment first."
	case waits:
		return "The customer must complete the bank's check first."
	case now.Before(a.FinalizeAgainAt()):
		return "The last finalize got no answer; it can be repeated from " + a.FinalizeAgainAt().Local().Format(time.TimeOnly) + " on."
	}
	return ""
}
