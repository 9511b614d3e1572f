package payment

import (
	tea "charm.land/bubbletea/v2"

	"paydesk/api/ledger"
	"paydesk/screens/detail"
	"paydesk/screens/report"
)

// Cases sets where the console is connected, and the folder that a case is offered to be written to, which may read
// the file system. It returns the screen.
func (m *Model) Cases(here ledger.Destination, folder func() string) *Model {
	m.here, m.Folder = here, folder
	return m
}

// subject returns what is known of the payment.
func (m *Model) subject() report.Subject {
	k := report.OfWatch(m.state, m.entry, m.ours, m.timeline, m.Scope.Now())
	if k.Destination == (ledger.Destination{}) {
		k.Destination = m.here
	}
	return k
}

// openCase asks where to write the case of the payment; nothing is written before the form is submitted.
func (m *Model) openCase() tea.Cmd {
	return m.Save(detail.Case(m.Theme, "payment", m.subject().Reference.String(), m.Scope.Now(), m.caseSubject))
}

// caseSubject returns all that is known, not what the watch leaves out.
func (m *Model) caseSubject() report.Subject {
	k := m.subject()
	k.Live, k.Why = nil, m.entry.Why
	if k.At.IsZero() {
		k.At = m.state.AnsweredAt // when it was first seen
	}
	return k
}
