package home

import (
	"context"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/api/session"
	"paydesk/screens/present"
	"paydesk/ui"
)

// fails reports whether a listed payment has failed and no person has dealt with that.
func (m *Model) fails(e session.Entry) bool {
	return e.IsPayment() && m.failing[e.Reference]
}

// findFailing finds the payments that have failed and that no person has dealt with: those made from here today, and the
// pinned ones since they were pinned. Taking one off the list deals with it, as does collecting it again.
func (m *Model) findFailing(all []session.Entry) {
	clear(m.failing)
	for _, e := range all {
		if m.hasFailed(e) && !slices.ContainsFunc(all, func(o session.Entry) bool { return isAgain(o, e) }) {
			m.failing[e.Reference] = true
		}
	}
}

func (m *Model) hasFailed(e session.Entry) bool {
	switch {
	case !e.IsPayment() || e.Status.State != api.Failed || rank(e) < rankRest:
		return false
	case !e.Mismatch.IsZero() || e.NotFollowed() || m.dealt[e.Reference]:
		return false
	case e.IsPinned() && e.Changed.Is.State == api.Failed && !e.Changed.At.Before(e.PinnedAt):
		return true
	}
	return !e.IsElsewhere() && sameDay(e.StatusAt, m.Scope.Now())
}

// isAgain reports whether a payment may be another one collected again. A customer who is not known counts as the same:
// a person who is called to collect again what was collected already charges twice.
func isAgain(e, failed session.Entry) bool {
	a, b := e.Sent.Customer, failed.Sent.Customer
	return e.Kind == ledger.Initiate && !e.IsElsewhere() && !failed.IsElsewhere() && e.At.After(failed.At) &&
		e.Amount == failed.Amount && e.Link == failed.Link &&
		(a == b || a == (api.Customer{}) || b == (api.Customer{}))
}

// takeOff takes a payment that has failed off those that need a person, or the lines of the tour off home, for this run. The mark stays where it is, so that the
// next can follow.
func (m *Model) takeOff() tea.Cmd {
	e, ok := m.selected()
	switch failed := ok && m.fails(e); {
	case !failed && m.canPutAway():
		m.options.Tour.away = true
		m.list(m.mark())
		return m.Notify("The demo goes on without these lines.")
	case !failed:
		return m.Warn("Only a failed payment that is listed under Needs you is taken off.")
	}
	m.dealt[e.Reference] = true
	at := m.table.Selected()
	m.sort()
	m.table.Select(at)
	m.layout()
	m.follow()
	return nil
}

// reach asks the service for the shortest page of its list, where no payment is asked about and nothing
// else has told whether it answers. A wrong key and a dead host are then known before anything is entered.
func (m *Model) reach() tea.Cmd {
	switch {
	case m.covered, m.asking.Pending(), m.payments.KeyRejected(), len(m.watched().asked) > 0:
		return nil
	case m.payments.Answered() && m.unreached == "":
		return nil
	}
	return m.ask()
}

func (m *Model) ask() tea.Cmd {
	p := m.payments
	return m.asking.Then(m.asked).Timed(ui.NoLimit).Ask(m.Scope, func(ctx context.Context) (struct{}, error) {
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
