package payment

import (
	"paydesk/api"
	"paydesk/api/ledger"
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

// next is the next step, with its key. There is none while it is in doubt what was charged.
func (m *Model) next() string {
	k, e, state := m.subject(), m.entry, m.entry.Status.State
	lost := !e.FinalizeLostAt().IsZero() && !e.CustomerMustAct()
	asks := state == api.Initiated || state == api.BankAuthRequired
	switch {
	case k.Mismatch.InDoubt():
		return ""
	case k.WhyNotAgain() == "":
		return "Collect it with another card or channel: press c."
	case lost && m.Scope.Now().Before(e.FinalizeAgainAt()):
		return "It can be finalized again from " + present.Clock(e.FinalizeAgainAt().Local()) + " on (f)."
	case lost && m.whyNotFinalize() == "":
		return "If its status stays the same, finalize it again: press f."
	case !m.ours && asks && m.whyNoBank() == "":
		return "If it is paid by card, ask about its bank check: press a."
	case !m.ours || state.Final():
		return ""
	case e.NextStep() == ledger.ToFinalize && m.whyNotFinalize() != "":
		return ""
	case e.NextStep() == ledger.ToFinalize:
		return "This link payment must be finalized: press f."
	case e.NextStep() != ledger.ToAuthorise:
		return ""
	case e.IsTransfer() && !k.MayPay():
		return ""
	case e.IsTransfer() && present.ReceivedAll(k.Received, k.Asked()):
		return ""
	case e.IsTransfer() && k.Received.Brought():
		return "Press a for the account."
	case e.IsTransfer() && k.Status.State == api.Pending:
		return "Not paid yet? Press a for the account."
	case e.IsTransfer():
		return "The customer must pay: press a for the account."
	case !e.MayBeCard():
		return "The customer must approve the payment: press a."
	}
	return "The customer must complete the bank check: press a."
}
