package links

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"paydesk/screens/present"
	"paydesk/screens/report"
	"paydesk/ui"
)

// writeLimit limits how long the journal may take to record that the differences were read.
const writeLimit = 10 * time.Second

// ask shows what was asked beside what was answered, and asks whether somebody has read it.
func (m *Share) ask() tea.Cmd {
	return m.Ask(ui.Question{
		Title: "Have you read how it differs?",
		Lines: []string{"The customer pays what was answered. It is recorded that you have read this."},
		Yes:   "I have read it", No: "Not now",
	}, func(w int) []present.Line {
		lines := append(report.OfDifferences(m.link).Page(m.Theme, w), present.Rows(1, m.problem.Lines(m.Theme, w)...)...)
		return append(lines, present.Rows(4, "")...)
	}, m.accept)
}

// accept records that the differences were read. Without a journal the link is shown at once.
func (m *Share) accept() tea.Cmd {
	j, alias := m.journal, m.link.Alias
	if j == nil {
		m.Answered()
		return nil
	}
	return m.recorded.Then(m.onRecorded).Commit(m.Scope, writeLimit, func(ctx context.Context) (struct{}, error) {
		return struct{}{}, j.DifferenceRead(ctx, alias)
	})
}

// onRecorded shows the link, or asks again when it could not be recorded.
func (m *Share) onRecorded(a ui.Result[struct{}]) tea.Cmd {
	if a.Err == nil {
		m.Answered()
		return nil
	}
	m.problem = present.Problem{What: "It was not recorded that you have read this.", Detail: present.Plain(a.Err.Error())}
	return m.ask()
}

// WhyStay says why the screen cannot be left now.
func (m *Share) WhyStay() string {
	if m.recorded.Pending() {
		return "Recording that you have read it."
	}
	return ""
}
