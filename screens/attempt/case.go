package attempt

import (
	tea "charm.land/bubbletea/v2"

	"paydesk/screens/fileform"
	"paydesk/screens/present"
	"paydesk/screens/report"
)

// Cases sets the folder that a case is offered to be written to; it may read the file system. It returns the screen.
func (m *Model) Cases(folder func() string) *Model {
	m.folder = folder
	return m
}

// openCase asks where to write the case of the attempt; nothing is written before the form is submitted.
func (m *Model) openCase() tea.Cmd {
	subject := func() report.Subject {
		return report.OfAttempt(m.record.Attempt, m.record.events, m.here, m.Scope.Now())
	}
	return fileform.Open(m.Theme, fileform.Case(m.Theme, "attempt", string(m.id), m.Scope.Now(), m.folder, subject), m.caseWritten)
}

// caseWritten says where the file is.
func (m *Model) caseWritten(w fileform.Written) {
	m.folder = func() string { return w.Folder } // where one file went, the next will
	m.written = "The case was written to " + present.Plain(w.Path)
}
