package payment

import (
	"paydesk/api"
	"paydesk/api/flow"
	"paydesk/screens/present"
)

// said are the service's last words about the payment. Once the money is there they explain nothing.
func (m *Model) said() string {
	if h := &m.state.History; h.Any && h.Shown.State == api.Successful && m.mismatch().IsZero() {
		return ""
	}
	return present.Said(m.payments.Said(m.reference))
}

// decide names the key that leads to the decision about a mismatch. A payment that was made
// elsewhere has none; it may have been looked up by a reference that is not the service's.
func (m *Model) decide() string {
	switch {
	case m.ours && m.entry.ID != "" && m.entry.Mismatch.Undecided():
		return "Decide what it means: press d."
	case !m.ours && m.state.Difference.What&api.ReferenceDiffers != 0:
		return "If " + m.reference.String() + " is your own reference for it, look up the service's (l)."
	}
	return ""
}

// next is the next step, with its key.
func (m *Model) next() string {
	f := m.flow
	lost := !f.FinalizeLostAt().IsZero() && !f.CustomerMustAct()
	asks := f.State() == api.Initiated || f.State() == api.BankAuthRequired
	switch {
	case m.whyNotAgain() == "":
		return "Collect it with another card or channel: press c."
	case lost && m.Scope.Now().Before(f.FinalizeAgainAt()):
		return "It can be finalized again from " + present.Clock(f.FinalizeAgainAt().Local()) + " on (f)."
	case lost && m.whyNotFinalize() == "":
		return "If its status stays the same, finalize it again: press f."
	case !m.ours && asks && m.whyNoBank() == "":
		return "If it is paid by card, ask about its bank check: press a."
	case !m.ours || f.State().Final():
		return ""
	case f.Next() == flow.Finalize && m.whyNotFinalize() != "":
		return ""
	case f.Next() == flow.Finalize:
		return "This link payment must be finalized: press f."
	case f.Next() != flow.Authorise:
		return ""
	case f.IsTransfer() && !m.circumstances().MayPay(m.shown().State):
		return ""
	case f.IsTransfer() && m.receivedAll():
		return ""
	case f.IsTransfer() && m.receivedPart():
		return "Press a for the account."
	case f.IsTransfer() && m.shown().State == api.Pending:
		return "Not paid yet? Press a for the account."
	case f.IsTransfer():
		return "The customer must pay: press a for the account."
	case !f.MayBeCard():
		return "The customer must approve the payment: press a."
	}
	return "The customer must complete the bank check: press a."
}
