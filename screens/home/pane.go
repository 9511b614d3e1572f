package home

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

	"paydesk/api/ledger"
	"paydesk/api/session"
	"paydesk/screens/present"
	"paydesk/screens/report"
	"paydesk/ui"
)

// loadHistory reads the history of the payment that the mark is on, for the pane, once for as long as the screen is open.
func (m *Model) loadHistory() tea.Cmd {
	e, ok := m.selected()
	if !ok || e.Reference == "" || m.recalled[e.Reference] {
		return nil
	}
	m.recalled[e.Reference] = true
	p, r := m.payments, e.Reference
	return m.history.Then(func(ui.Result[struct{}]) tea.Cmd { return nil }).Ask(m.Scope, func(ctx context.Context) (struct{}, error) { return struct{}{}, p.Recall(ctx, r) })
}

// pane draws what is known of a payment, or what is done where a line of the tour or of the menu leads.
func (m *Model) pane(row, w, h int) []string {
	one, way := m.item(row)
	e, _ := m.payment(row)
	switch {
	case m.tooEarly():
		return nil
	case way:
		return m.wayLines(one.Way, w)
	case m.panes.Beside():
		return m.report(e).Pane(m.Theme, min(w, 90), h) // which is read at a glance, the history below the rest
	}
	return m.report(e).Preview(m.Theme, "", w, h)
}

// subject returns what is known of a payment, and what happened to it.
func (m *Model) subject(e session.Entry) report.Subject {
	var here ledger.Destination
	if m.options.Here != nil {
		here = m.options.Here()
	}
	events := e.History
	if e.Reference == "" && e.IsUnresolved() {
		events = []ledger.Event{{At: e.At, What: string(ledger.Sent)}, {At: e.AnsweredAt, What: string(ledger.Unresolved)}}
	}
	k := report.OfEntry(e, events, here, m.Scope.Now())
	if m.isUnknown(e) {
		s, _ := m.state(e)
		k.Live = &s
	}
	return k
}

// report adds how the payment is watched.
func (m *Model) report(e session.Entry) report.Report {
	r := report.Of(m.subject(e))
	r.Status = m.status(e)
	if e.Open() && !m.options.Journal {
		r.Says = append(r.Says, report.Words{Text: notKept, Tone: ui.ToneAct})
	}
	if next := m.nextCheck(e); next != "" {
		r.Brief = "next check " + next
		r.Sections[0].Facts = append(r.Sections[0].Facts, report.Fact{Label: "Next check", Value: next, Rank: 1})
	}
	return r
}

// nextCheck says when a payment is checked the next time, or why it is not; "" where there is nothing to check.
func (m *Model) nextCheck(e session.Entry) string {
	s, followed := m.state(e)
	switch {
	case !followed || !e.Asks():
		return ""
	case s.Phase == session.Polling && s.Due.IsZero(): // it is being checked, or is about to be
		return "now"
	case s.Phase == session.Polling:
		return present.Due(s.Wait, s.Due, s.Err)
	case s.Phase == session.Expired:
		return "none: r checks again"
	}
	return ""
}

// copyable returns what of a payment can be copied: its reference, or the ID of an attempt.
func copyable(e session.Entry) (name, text string) {
	switch {
	case e.Reference != "" && present.Copyable(e.Reference.String()):
		return "reference", e.Reference.String()
	case e.Reference == "" && e.ID != "":
		return "attempt ID", strings.TrimSpace(string(e.ID))
	}
	return "", ""
}
