package activity

import (
	"errors"

	"paydesk/api/ledger"
	"paydesk/screens/present"
	"paydesk/screens/report"
)

// columns are the table's.
func (m *Model) columns() []report.Column[ledger.Attempt] {
	return report.Drawn(report.Attempts(report.AttemptView{
		Here: m.options.Here(), Everywhere: m.filter.everywhere(), Team: m.options.Team, Now: m.list.window.at,
	}), report.Screen)
}

// errorText words an error of the journal or of a file.
func errorText(err error) string {
	var blocked *ledger.Unavailable
	switch {
	case errors.As(err, &blocked):
		return present.Plain(blocked.Why)
	case errors.Is(err, ledger.ErrNotFound):
		return "It is no longer in the journal."
	}
	return present.FileProblem(err)
}
