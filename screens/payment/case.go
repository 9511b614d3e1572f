package payment

import (
	tea "charm.land/bubbletea/v2"

	"paydesk/api/ledger"
	"paydesk/screens/fileform"
	"paydesk/screens/present"
	"paydesk/screens/report"
	"paydesk/ui"
)

// Cases sets where the console is connected, and the folder that a case is offered to be written to, which may read
// the file system. It returns the screen.
func (m *Model) Cases(here ledger.Destination, folder func() string) *Model {
	m.here, m.folder = here, folder
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

// copyAnswer copies the service's last answer in words.
func (m *Model) copyAnswer() tea.Cmd {
	answer := m.subject().Answer()
	if answer == "" {
		return m.Warn("The service has not answered yet, so there is nothing to copy.")
	}
	return m.Copy("answer", answer)
}

// openCase asks where to write the case of the payment; nothing is written before the form is submitted.
func (m *Model) openCase() tea.Cmd {
	if !m.state.History.Any {
		return m.Warn("There is no case to write before the service has reported a status.")
	}
	of := m.subject().Reference.String()
	return fileform.Open(m.Theme, fileform.Case(m.Theme, "payment", of, m.Scope.Now(), m.folder, m.caseSubject), m.caseWritten)
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

// caseWritten says where the file is.
func (m *Model) caseWritten(w fileform.Written) {
	m.folder = func() string { return w.Folder } // where one file went, the next will
	m.written = "The case was written to " + present.Plain(w.Path)
}

// head are the lines above the payment: where its case is, until the next key, and its steps.
func (m *Model) head() []string {
	lines := m.stepper(m.W)
	if m.written != "" {
		lines = append(append(ui.Wrap(m.written, max(m.W, 1)), ""), lines...)
	}
	return lines
}
