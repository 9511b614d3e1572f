package attempt

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/screens/present"
	"paydesk/ui"
)

// checkOwnReference asks for the status by the reference that we sent along.
func (m *Model) checkOwnReference() tea.Cmd {
	switch {
	case m.record.OwnReference == "":
		return m.say("No reference of our own was sent with it, so there is none to ask by.")
	case m.statusCall.Pending():
		return m.say("It is being asked for.")
	}
	reference, err := api.ParseReference(m.record.OwnReference)
	if err != nil {
		return m.say("Our own reference cannot be asked by.")
	}
	m.problem = present.Problem{}
	service := m.service
	return m.statusCall.Ask(m.scope, func(ctx context.Context) (api.Transaction, error) {
		return service.Transaction(ctx, reference)
	})
}

// onStatus takes the answer about our own reference. A status resolves the attempt, since nobody
// else has that reference; a refusal leaves it as it is, because a payment may be known
// later than its answer was due.
func (m *Model) onStatus(a ui.Result[api.Transaction]) tea.Cmd {
	switch {
	case api.Definite(a.Err):
		m.problem = present.Problem{
			What:   "The service has no status for our reference " + m.record.OwnReference + ".",
			Next:   "That is no proof that nothing was made: ask again later, or look for it.",
			Detail: present.Error(a.Err, present.Reading).Detail, Lost: true,
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
			What: "The service answered about our reference without a status.", Next: "Nothing was recorded. Ask again later.", Lost: true,
		}
		return nil
	case t.HasAmount && t.Amount != m.record.Amount:
		m.reference.SetValue(string(reference))
		m.problem = present.Problem{
			What: "Our reference is known, for another amount: " + t.Amount.String() + " instead of " + m.record.Amount.String() + ".",
			Next: "Nothing was recorded. Compare them at the provider; f has " + string(reference) + " ready.", Lost: true,
		}
		return nil
	}
	return m.write(decision{verdict: journal.Found, reference: reference})
}

// paymentReference is the reference that the answer names, or the one it was asked with.
func paymentReference(t api.Transaction) api.Reference {
	if r, err := api.ParseReference(t.OtherReference.Line(0)); err == nil {
		return r
	}
	return t.Reference
}
