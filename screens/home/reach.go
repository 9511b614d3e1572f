package home

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/screens/present"
	"paydesk/ui"
)

// reach asks the service for the shortest page of its list, where no payment in the window is asked about and nothing
// else has told whether it answers. A wrong key and a dead host are then known before anything is entered.
func (m *Model) reach() tea.Cmd {
	switch {
	case m.asking.Pending(), m.payments.KeyRejected(), len(m.visible()) > 0:
		return nil
	case m.payments.Answered() && m.unreached == "":
		return nil
	}
	return m.ask()
}

func (m *Model) ask() tea.Cmd {
	p := m.payments
	return m.asking.Then(m.asked).Ask(m.Scope, func(ctx context.Context) (struct{}, error) {
		_, err := p.Transactions(ctx, 1, 1)
		return struct{}{}, err
	})
}

// asked says why the service gave no answer. One that rejects the key has answered: the console says so on every screen.
func (m *Model) asked(a ui.Result[struct{}]) tea.Cmd {
	m.unreached, m.changedAt = "", m.Scope.Now()
	switch api.OutcomeOf(a.Err) {
	case api.OutcomeAccepted, api.OutcomeRefused:
	default:
		m.unreached = strings.TrimSuffix(present.Error(a.Err, present.Reading).What, ".")
	}
	return nil
}
