package finalize

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"paydesk/screens/show"
	"paydesk/ui"
)

const label = 14 // cells of the column of labels

// View implements [ui.Screen].
func (m *Model) View() (string, *tea.Cursor) {
	t := m.theme
	lines := []string{show.Stepper(t, m.w, m.entry.Flow.IsTransfer(), show.StageFinalize), ""}
	switch m.stage {
	case asking:
		body, cursor := m.confirm.View(m.w, max(0, m.h-len(lines)))
		if cursor != nil {
			cursor.Y += len(lines)
		}
		return ui.Lines(m.w, m.h, append(lines, strings.Split(body, "\n")...)...), cursor
	case sending:
		lines = append(lines, "Finalizing…", "", t.Muted.Render("It is sent once. Nothing is sent again by itself."))
	case closed:
		lines = append(lines, t.Mark(ui.ToneAct, "Finalize is not open now"), "")
		lines = append(lines, ui.Wrap(m.why, max(1, m.w))...)
	case answered:
		lines = append(lines, m.answers()...)
	case refused:
		lines = append(lines, m.troubles(ui.ToneBad, "Not finalized")...)
	case unresolved:
		lines = append(lines, m.troubles(ui.ToneUnknown, "Nobody knows whether it was finalized")...)
		lines = append(lines, "")
		lines = append(lines, ui.Wrap("Ask for the status (enter). It may be finalized again by hand after a minute, if the status is not final by then.", max(1, m.w))...)
	}
	return ui.Lines(m.w, m.h, lines...), nil
}

// answers shows the answer without the colour of success: only a status has it.
func (m *Model) answers() []string {
	a := m.answer
	lines := []string{m.theme.Strong.Render("The service took it"), ""}
	for _, f := range []struct{ name, value string }{
		{"Reference", string(m.reference)},
		{"Status", a.Status.Line(m.w - label)},
		{"Response code", a.Code.Line(m.w - label)},
		{"Message", a.Message.Line(m.w - label)},
	} {
		if f.value == "" {
			f.value = "-"
		}
		lines = append(lines, m.theme.Muted.Render(ui.Fit(f.name, label))+f.value)
	}
	return append(lines, "", m.theme.Muted.Render(ui.Fit("This is not the final status of the payment yet: watch it (enter).", m.w)))
}

func (m *Model) troubles(tone ui.Tone, title string) []string {
	lines := []string{m.theme.Mark(tone, title), ""}
	for _, s := range []string{m.trouble.What + " " + m.trouble.Done, m.trouble.Detail, m.trouble.Next} {
		if strings.TrimSpace(s) != "" {
			lines = append(lines, ui.Wrap(s, max(1, m.w))...)
		}
	}
	return lines
}
