package attempt

import (
	tea "charm.land/bubbletea/v2"

	"paydesk/api/ledger"
	"paydesk/screens/report"
	"paydesk/ui"
)

// View implements [ui.Screen].
func (m *Model) View() (string, *tea.Cursor) {
	if m.W < 1 || m.H < 1 {
		return "", nil
	}
	switch m.stage {
	case matching:
		lines := m.matchHead()
		if len(m.search.found) > 0 {
			lines = append(lines, m.search.table.View())
		}
		return ui.Lines(m.W, m.H, lines...), nil
	case choosing:
		return m.viewChoices(), nil
	case entering:
		return m.viewEntering()
	case confirming:
		return m.Under(m.head(), m.confirm.View)
	}
	return m.viewAttempt(), nil
}

// report returns what is known of the attempt.
func (m *Model) report() report.Report {
	return report.Of(report.OfAttempt(m.record.Attempt, m.record.events, m.here, m.Scope.Now()))
}

// sheet is the attempt on the body of the screen, below what is under way or went wrong.
func (m *Model) sheet() report.Sheet {
	return report.Sheet{Theme: m.Theme, W: m.W, H: m.H, Head: m.activityLines(m.W), Report: m.report()}
}

// head returns how the attempt stands in one line, and a blank.
func (m *Model) head() []string { return []string{m.report().Line(m.Theme, m.W), ""} }

// viewEntering draws the field for the reference below what is known of the attempt, which is left
// out in a low window: the field must be visible.
func (m *Model) viewEntering() (string, *tea.Cursor) {
	lines := append(m.head(), report.Summary(m.record.Attempt))
	about := "Which payment is it? Enter the provider's reference, once you have compared amount, time and attempt ID."
	if m.record.Kind == ledger.CreateLink {
		about = "Which link is it? Enter its alias or URL, once you have compared name, amount and time."
	}
	lines = append(append(lines, ui.Wrap(about, m.W)...), "")
	if m.referenceCall.Pending() {
		lines = append(lines[:len(lines)-1], m.Theme.WaitLines(m.referenceCall.Wait(), "Checking the reference", m.W)...)
	}
	if len(lines) > m.H-3 {
		lines = lines[:1]
	}
	return m.Under(lines, m.entryForm().View)
}

// viewAttempt is the attempt, once it was read.
func (m *Model) viewAttempt() string {
	switch {
	case m.record.at.IsZero() && m.problem.IsZero():
		return ui.Lines(m.W, m.H, m.Theme.WaitLines(m.loadCall.Wait(), "Reading the journal", m.W)...)
	case m.record.at.IsZero():
		return ui.Lines(m.W, m.H, m.problem.Lines(m.Theme, m.W)...)
	}
	return m.page.View(m.sheet())
}

// activityLines are the call in progress, or how it ended.
func (m *Model) activityLines(w int) (lines []string) {
	switch {
	case m.decideCall.Pending():
		lines = []string{m.Theme.Mark(ui.ToneWait, "Recording…")}
	case m.statusCall.Pending():
		lines = m.Theme.WaitLines(m.statusCall.Wait(), "Checking by our reference", w)
	case m.written != "":
		lines = ui.Wrap(m.written, max(w, 1))
	default:
		lines = m.problem.Lines(m.Theme, w)
	}
	if len(lines) > 0 && len(lines) < m.H/2 {
		lines = append(lines, "")
	}
	return lines
}

// matchHead says what the matches are worth, and how far the search is.
func (m *Model) matchHead() []string {
	s := &m.search
	about := "Rows of " + m.record.Amount.String() + " in the transactions are NO PROOF: they have no time, and their ID may not be a reference."
	lines := ui.Wrap(about, max(m.W, 1))
	if s.call.Pending() {
		lines = append(lines, m.Theme.WaitLines(s.call.Wait(), s.progress(), m.W)...)
	} else {
		lines = append(lines, m.Theme.Muted.Render(s.progress()))
	}
	lines = append(lines, s.problem.Lines(m.Theme, m.W)...)
	if len(s.found) == 0 && !s.call.Pending() && !m.scanCall.Pending() && s.problem.IsZero() {
		lines = append(lines, ui.Wrap("None has this amount and currency. That does not prove that the payment was not made.", max(m.W, 1))...)
	}
	return append(lines, "")
}

// layoutMatches gives the table the height that the words above it leave.
func (m *Model) layoutMatches() {
	m.search.table.Resize(m.W, max(m.H-len(m.matchHead()), 0))
}
