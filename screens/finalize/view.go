package finalize

import (
	tea "charm.land/bubbletea/v2"

	"paydesk/api/journal"
	"paydesk/screens/present"
	"paydesk/ui"
)

const label = 15 // cells of the column of labels

// View implements [ui.Screen].
func (m *Model) View() (string, *tea.Cursor) {
	t := m.Theme
	var head []string
	if m.known && m.H >= 12 { // the steps of other payments are unknown
		head = []string{present.Progress(t, m.W, m.entry.Flow, present.StageFinalize), ""}
	}
	var lines []string
	switch m.stage {
	case confirming:
		return m.Under(head, m.confirm.View)
	case sending:
		lines = append([]string{t.Mark(ui.ToneWait, "Finalizing…"), "", m.fact("Reference", string(m.reference)), ""},
			m.wrap(present.SendingNote)...)
	case closed:
		lines = append([]string{t.Mark(ui.ToneAct, "This payment cannot be finalized now"), ""}, m.wrap(m.why)...)
	case answered:
		lines = m.viewAnswer()
	case refused:
		lines = append([]string{t.Mark(ui.ToneBad, "Not finalized"), ""}, m.problem.Lines(t, m.W)...)
	case unresolved:
		lines = append(present.UnresolvedHeading(t, m.W, present.NotKnown(journal.Finalize)), "")
		lines = append(lines, m.problem.Lines(t, m.W)...)
	}
	return ui.Lines(m.W, m.H, append(head, lines...)...), nil
}

func (m *Model) wrap(words string) []string { return ui.Wrap(words, max(1, m.W)) }

func (m *Model) fact(name, value string) string { return m.Theme.Fact(name, value, label) }

// viewAnswer shows the response without the colour of success, which only a status has.
func (m *Model) viewAnswer() []string {
	a, room := m.answer, max(m.W-label, 1)
	lines := []string{
		m.Theme.Strong.Render("The service accepted it"), "",
		m.fact("Reference", string(m.reference)),
		m.fact("Status", a.Status.Line(room)),
		m.fact("Response code", a.Code.Line(room)),
		m.fact("Message", a.Message.Line(room)), "",
	}
	return append(lines, m.wrap("This is not the payment's final status yet: watch the payment (enter).")...)
}
