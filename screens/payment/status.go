package payment

import (
	"paydesk/api"
	"paydesk/api/flow"
	"paydesk/screens/present"
	"paydesk/ui"
)

// said are the service's last words about the payment. Once the money is there they explain nothing.
func (m *Model) said() string {
	if h := &m.state.History; h.Any && h.Shown.State == api.Successful && m.mismatch().IsZero() {
		return ""
	}
	return present.Said(m.payments.Said(m.reference))
}

// statusLines are the status, what it means and what to do about it.
func (m *Model) statusLines(w int) []string {
	h, differs := &m.state.History, m.mismatch()
	switch {
	case !differs.IsZero():
		lines := present.MismatchLines(m.Theme, differs, m.asked(), w)
		if differs.What&(api.AmountDiffers|api.CurrencyDiffers) != 0 && m.state.AmountUnstated() {
			lines = append(lines, ui.Wrap("The latest answer states no amount.", w)...)
		}
		return append(lines, m.decide()...)
	case !h.Any:
		return []string{m.Theme.Strong.Render("No status yet")}
	}
	lines := []string{present.StatusChip(m.Theme, h.Shown, m.circumstances())}
	means, action := m.meaning()
	unstated := ""
	if h.Shown.State == api.Successful && m.state.AmountUnstated() {
		unstated = present.AmountUnstated
	}
	for _, words := range []string{means, unstated, action} {
		if words != "" {
			lines = append(lines, ui.Wrap(words, w)...)
		}
	}
	if lost := present.FinalizeLost(m.flow); lost != "" {
		lines = append(lines, m.Theme.MarkLines(ui.ToneUnknown, lost, w)...)
	}
	if next := m.next(); next != "" {
		lines = append(lines, m.Theme.Accent.Render("→ ")+next)
	}
	return lines
}

// decide names the key that leads to the decision about a mismatch. A payment that was made
// elsewhere has none; it may have been looked up by a reference that is not the service's.
func (m *Model) decide() []string {
	switch {
	case m.ours && m.entry.ID != "" && m.entry.Mismatch.Undecided():
		return []string{m.Theme.Accent.Render("→ ") + "Decide what it means: press d."}
	case !m.ours && m.state.Difference.What&api.ReferenceDiffers != 0:
		return ui.Wrap("If "+string(m.reference)+" is your own reference for it, look up the service's (l).", m.W)
	}
	return nil
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
