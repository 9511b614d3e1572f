package newlink

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"paydesk/screens/present"
	"paydesk/ui"
)

// View implements [ui.Screen].
func (m *Model) View() (string, *tea.Cursor) {
	switch m.stage {
	case confirming:
		return m.confirm.View(m.w, m.h)
	case sending:
		words := []string{m.theme.Mark(ui.ToneWait, "Creating the link…"), ""}
		words = append(words, ui.Wrap(present.SendingNote, max(1, m.w))...)
		return ui.Lines(m.w, m.h, words...), nil
	case unresolved:
		return ui.Lines(m.w, m.h, m.viewUnresolved()...), nil
	case mismatched:
		return ui.Lines(m.w, m.h, m.viewMismatch()...), nil
	}
	return m.viewForm()
}

// viewForm is the form, below the last problem and beside the preview.
func (m *Model) viewForm() (string, *tea.Cursor) {
	w := m.w
	var right []string
	if m.w >= present.WidePreview {
		w = m.w - present.PreviewWidth - 2
		right = append([]string{m.theme.Strong.Render("What will be sent"), ""}, present.WrapCode(m.preview, present.PreviewWidth)...)
	}
	head := m.problem.Lines(m.theme, w)
	if len(head) > 0 {
		head = append(head, "")
	}
	head = head[:min(len(head), max(m.h-leastForm, 0))]
	form, cursor := m.form.View(w, max(0, m.h-len(head)))
	if cursor != nil {
		cursor.Y += len(head)
	}
	left := append(head, strings.Split(form, "\n")...)
	return ui.Lines(m.w, m.h, present.SideBySide(w, left, right)...), cursor
}

// leastForm are the lines the form keeps below a problem.
const leastForm = 6

// viewUnresolved offers no way to send again.
func (m *Model) viewUnresolved() []string {
	p := m.problem
	p.Done = "" // the heading says it
	lines := append(present.UnresolvedHeading(m.theme, m.w, "It is not known whether this link was created."), "")
	lines = append(append(lines, p.Lines(m.theme, m.w)...), "")
	return append(lines, ui.Wrap("Look for \""+m.draft.Name+"\" in the provider's dashboard. A link moves no money by itself: "+
		"a duplicate does no harm until somebody is given its URL.", max(1, m.w))...)
}

// viewMismatch warns of a link that was created in another environment.
func (m *Model) viewMismatch() []string {
	environment := m.created.Environment.Line(20)
	lines := []string{m.theme.Mark(ui.ToneBad, "ENVIRONMENT MISMATCH"), ""}
	lines = append(lines, ui.Wrap("The link was created, but the service reports its environment as \""+environment+
		"\". This profile declares "+m.target.Environment+".", max(1, m.w))...)
	lines = append(lines, "", m.theme.Muted.Render("Alias  ")+string(m.created.Alias), "")
	return append(lines, ui.Wrap("Do not share this link. Check the profile's secret key and base URL before you do anything else.", max(1, m.w))...)
}
