package attempt

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"paydesk/screens/present"
	"paydesk/ui"
)

// canBeTaken reports whether a person can tell a team that they look into it.
func (m *Model) canBeTaken() bool { return m.record.IsUnresolved() && m.journal.Shared() != "" }

// takeCommand is the key that takes it, releases it, or takes it over from a colleague.
func (m *Model) takeCommand() ui.Command {
	verb := "take"
	switch l := m.record.Lease; {
	case l.Mine:
		verb = "release"
	case !l.IsZero():
		verb = "take over"
	}
	return ui.Command{Key: ui.Bind("@", verb), On: true, Do: m.take}
}

// take takes the attempt as it is shown, or releases it.
func (m *Model) take() tea.Cmd {
	m.problem = present.Problem{}
	j, seen := m.journal, m.record.Attempt
	return m.leaseCall.Then(m.taken).Commit(m.Scope, writeLimit, func(ctx context.Context) (struct{}, error) {
		if seen.Lease.Mine {
			return struct{}{}, j.Release(ctx, seen.ID)
		}
		return struct{}{}, j.Take(ctx, seen)
	})
}

// taken shows whose it is now.
func (m *Model) taken(a ui.Result[struct{}]) tea.Cmd {
	if a.Err != nil {
		m.problem = decisionProblem("It was not recorded who is looking at this.", a.Err)
	}
	return m.load()
}

// warnTaken says that a colleague has taken the attempt.
func (m *Model) warnTaken() tea.Cmd { return m.Warn(takenWords) }

const takenWords = "Taken by a colleague: ask them, or take it over (@)."

// explainTaking is the help about taking an attempt.
func (m *Model) explainTaking() []string {
	if !m.canBeTaken() {
		return nil
	}
	return []string{"@ tells your team that you are looking into it. For 15 minutes others must take it over with @ before they decide; @ releases it again."}
}
