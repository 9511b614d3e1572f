package attempt

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/screens/present"
	"paydesk/ui"
)

// checkAndReload does what is to be done again: it checks the status by the reference that we sent along, and reads the attempt.
func (m *Model) checkAndReload() tea.Cmd {
	if m.statusCall.Pending() {
		return m.Warn("Already checking.")
	}
	reference, err := api.ParseReference(m.record.OwnReference)
	if err != nil {
		return m.Warn("Our reference cannot be used for a status check.")
	}
	m.problem = present.Problem{}
	service := m.service
	return tea.Batch(m.load(), m.statusCall.Then(m.onStatus).Timed(api.ReadLimit).Ask(m.Scope, func(ctx context.Context) (api.PaymentStatus, error) {
		return service.Transaction(ctx, reference)
	}))
}

// onStatus handles the status of our own reference. A status resolves the attempt, since no
// other payment has that reference. A rejection does not: a payment may appear later than its
// response was due.
func (m *Model) onStatus(a ui.Result[api.PaymentStatus]) tea.Cmd {
	switch {
	case api.Definite(a.Err):
		m.problem = present.Problem{
			What:   "The service has no payment under our reference " + m.record.OwnReference + ".",
			Next:   "That does not prove that nothing was made: check later, or search for it (m).",
			Detail: present.Error(a.Err, present.Reading).Detail, Unresolved: true,
		}
		return nil
	case a.Err != nil:
		m.problem = present.Error(a.Err, present.Reading)
		return nil
	}
	t := a.Value
	reference := paymentReference(t)
	switch {
	case t.Status.Text.Empty():
		m.problem = present.Problem{
			What: "The service returned no status for our reference.", Next: "Nothing was recorded. Check again later.", Unresolved: true,
		}
		return nil
	case !m.compare(t).IsZero():
		m.offer(reference)
		m.problem = present.Problem{
			What: "Our reference exists, but for " + m.anotherAmount(t) + ".",
			Next: "Nothing was recorded. Compare them at the provider; the decision \"found as\" (d) has " + reference.String() + " filled in.", Unresolved: true,
		}
		return nil
	}
	return m.write(m.record.Attempt, Decision{Verdict: ledger.Found, Reference: reference})
}

// compare returns how an answer about our own reference, or about one that was typed, differs from what was
// asked of this attempt.
func (m *Model) compare(t api.PaymentStatus) api.Difference { return compare(m.record.Attempt, t) }

func compare(a ledger.Attempt, t api.PaymentStatus) api.Difference {
	asked := a.Asked()
	asked.Reference, asked.Status = t.Reference, api.Status{}
	return t.Compare(asked)
}

// anotherAmount is the amount in an answer that differs, beside ours.
func (m *Model) anotherAmount(t api.PaymentStatus) string {
	d, ours := m.compare(t), " instead of "+m.record.Amount.String()
	if !d.Text.Empty() {
		return "an amount that cannot be read: " + d.Text.Line(40) + ours
	}
	return "another amount: " + d.Answered.String() + ours
}

// paymentReference is the reference in the response, else the one requested.
func paymentReference(t api.PaymentStatus) api.Reference {
	if r, err := api.ParseReference(t.OtherReference.Line(0)); err == nil {
		return r
	}
	return t.Reference
}
