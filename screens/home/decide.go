package home

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"paydesk/api/session"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/ui"
)

// notKept says what becomes of the list without a journal.
const notKept = "Journal off: nothing of this is kept after this run."

// canDecide reports whether a person can end that a payment needs attention.
func (m *Model) canDecide(e session.Entry) bool {
	return e.Open() && (e.ID != "" || !m.options.Journal)
}

// decide leads to the decision that ends it. What no journal has is taken off the list here.
func (m *Model) decide() tea.Cmd {
	e, ok := m.selected()
	switch {
	case !ok || !m.canDecide(e):
		return m.Warn("There is nothing to decide about this one.")
	case e.ID != "":
		return nav.Open(nav.Attempt{ID: e.ID})
	}
	m.dropping, m.confirm = e, ui.NewConfirm(m.Theme, question(e))
	return m.confirm.Init(m.Scope)
}

// question asks whether to take what no journal has off the list.
func question(e session.Entry) ui.Question {
	about := []string{present.KindName(e.Kind)}
	if !e.Requested.Currency.IsZero() {
		about = append(about, e.Requested.String())
	}
	if e.Reference != "" {
		about = append(about, string(e.Reference))
	}
	q := ui.Question{
		Title: "Take it off the list?", Yes: "Take it off", No: "Keep it",
		Lines: []string{strings.Join(append(about, present.Clock(e.Started)), " · ")},
	}
	if e.Unresolved {
		q.Lines = append(q.Lines, present.NotKnown(e.Kind)+" Find that out at the provider first.")
	} else {
		q.Lines = append(q.Lines, "It is not cancelled: the customer may still pay.")
	}
	q.Lines = append(q.Lines, "The journal is off, so nothing here will know of it again.")
	return q
}

// drop takes it off the list.
func (m *Model) drop() tea.Cmd {
	m.payments.Drop(m.dropping)
	m.confirm = nil
	m.sort()
	m.follow()
	return nil
}

// decline keeps it.
func (m *Model) decline() tea.Cmd {
	m.confirm = nil
	return nil
}

// Back closes the question.
func (m *Model) Back() bool {
	asked := m.confirm != nil
	m.confirm = nil
	return asked
}

// Typing implements [ui.Screen].
func (m *Model) Typing() bool { return m.confirm != nil && m.confirm.Typing() }
