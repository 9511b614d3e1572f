package activity

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"paydesk/api/ledger"
	"paydesk/screens/report"
	"paydesk/ui"
)

// A pane is the attempt that is shown beside the list, or below it, with its history. Both are read first and shown at once:
// what was shown before stays until then.
type pane struct {
	attempt ledger.Attempt
	events  []ledger.Event
	some    bool
	call    ui.Call[[]ledger.Event]
}

// newTable makes the table and lays it out with the pane.
func (m *Model) newTable() {
	m.list.table = ui.NewTable(m.Theme, report.Heads(m.columns(), report.Screen)...)
	m.list.table.Grouped(m.group, m.sameGroup)
	if m.panes == nil {
		m.panes = ui.NewPanes(m.Theme, m.list.table)
		m.panes.OnFollow(m.readPane)
		return
	}
	m.panes.Of(m.list.table)
}

// hasPane reports whether there is room for more than the list.
func (m *Model) hasPane() bool {
	_, h := m.panes.PaneSize()
	return h > 0
}

// inPane is the attempt of the pane.
func (m *Model) inPane() (a ledger.Attempt, some bool) {
	return m.pane.attempt, m.pane.some && m.hasPane() && m.list.window.Count > 0
}

// readPane reads the history of the attempt that the pane is to show, which may have changed since it was read.
func (m *Model) readPane() tea.Cmd {
	a, read := m.list.window.Row(m.panes.Row())
	if !read || !m.hasPane() {
		return nil
	}
	j := m.options.Journal
	return m.pane.call.Then(func(r ui.Result[[]ledger.Event]) tea.Cmd {
		m.pane.attempt, m.pane.events, m.pane.some = a, r.Value, true // the list says what is wrong with the journal
		return nil
	}).Ask(m.Scope, func(ctx context.Context) ([]ledger.Event, error) { return j.Timeline(ctx, a.ID) })
}

// paneLines returns what there is to say of an attempt.
func (m *Model) paneLines(_, w, h int) []string {
	a, read := m.inPane()
	switch news := m.newsLines(); {
	case m.panes.Beside() && read:
		return m.report(a).Pane(m.Theme, w, h)
	case m.panes.Beside():
		return nil
	case news != nil:
		return append([]string{m.Theme.Rule("", "", w)}, news...)
	case !read:
		return []string{m.Theme.Rule("", "", w)}
	}
	return m.report(a).Preview(m.Theme, "enter: all of it", w, h)
}

// report returns what is known of the attempt in the pane.
func (m *Model) report(a ledger.Attempt) report.Report {
	return report.Of(report.OfAttempt(a, m.pane.events, m.options.Here(), m.Scope.Now()))
}
