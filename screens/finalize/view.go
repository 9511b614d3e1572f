package finalize

import (
	tea "charm.land/bubbletea/v2"

	"paydesk/screens/present"
	"paydesk/ui"
)

const label = 15 // cells of the column of labels

// View implements [ui.Screen].
func (m *Model) View() (string, *tea.Cursor) {
	t := m.theme
	var head []string
	if m.known && m.h >= 12 { // the steps of other payments are unknown
		head = []string{present.Progress(t, m.w, m.entry.Flow, present.StageFinalize), ""}
	}
	var lines []string
	switch m.stage {
	case confirming:
		body, cursor := m.confirm.View(m.w, max(0, m.h-len(head)))
		if cursor != nil {
			cursor.Y += len(head)
		}
		return ui.Lines(m.w, m.h, append(head, body)...), cursor
	case sending:
		lines = append([]string{t.Mark(ui.ToneWait, "Finalizing…"), "", m.fact("Reference", string(m.reference)), ""},
			m.wrap(present.SendingNote)...)
	case closed:
		lines = append([]string{t.Mark(ui.ToneAct, "This payment cannot be finalized now"), ""}, m.wrap(m.why)...)
	case answered:
		lines = m.viewAnswer()
	case refused:
		lines = append([]string{t.Mark(ui.ToneBad, "Not finalized"), ""}, m.problem.Lines(t, m.w)...)
	case unresolved:
		lines = append(present.UnresolvedHeading(t, m.w, "It is not known whether it was finalized."), "")
		lines = append(lines, m.problem.Lines(t, m.w)...)
	}
	return ui.Lines(m.w, m.h, append(head, lines...)...), nil
}

func (m *Model) wrap(words string) []string { return ui.Wrap(words, max(1, m.w)) }

func (m *Model) fact(name, value string) string {
	return m.theme.Fact(name, value, label)
}

// viewAnswer shows the response without the colour of success, which only a status has.
func (m *Model) viewAnswer() []string {
	a, room := m.answer, max(m.w-label, 1)
	lines := []string{
		m.theme.Strong.Render("The service accepted it"), "",
		m.fact("Reference", string(m.reference)),
		m.fact("Status", a.Status.Line(room)),
		m.fact("Response code", a.Code.Line(room)),
		m.fact("Message", a.Message.Line(room)), "",
	}
	return append(lines, m.wrap("This is not the payment's final status yet: watch the payment (enter).")...)
}
