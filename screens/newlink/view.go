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
		words = append(words, ui.Wrap("Waiting for the answer, up to 90 seconds. It is sent once, whatever happens.", max(1, m.w))...)
		return ui.Lines(m.w, m.h, words...), nil
	case unresolved:
		return ui.Lines(m.w, m.h, m.viewLost()...), nil
	case mismatched:
		return ui.Lines(m.w, m.h, m.viewMismatch()...), nil
	}
	return m.viewForm()
}

// viewForm is the form under what went wrong last, beside what will be sent.
func (m *Model) viewForm() (string, *tea.Cursor) {
	w := m.w
	var right []string
	if m.w >= present.WidePreview {
		w = m.w - present.PreviewWidth - 2
		right = append([]string{m.theme.Strong.Render("What will be sent"), ""}, present.WrapCode(m.body, present.PreviewWidth)...)
	}
	head := m.trouble.Lines(m.theme, w)
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

// leastForm are the lines the form keeps when something went wrong.
const leastForm = 6

// viewLost says that nobody knows, and offers no way to send again.
func (m *Model) viewLost() []string {
	lines := []string{m.theme.Mark(ui.ToneUnknown, "Nobody knows whether this link was created"), ""}
	t := m.trouble
	t.Done = "" // the line above says it
	lines = append(lines, t.Lines(m.theme, m.w)...)
	return append(append(lines, ""), ui.Wrap("Look for \""+m.draft.Name+"\" in the merchant dashboard. A link moves no money by itself: "+
		"one that was created twice does no harm until it is given to somebody.", max(1, m.w))...)
}

// viewMismatch stops at a link of another environment (R77).
func (m *Model) viewMismatch() []string {
	says := m.made.Environment.Line(20)
	lines := []string{m.theme.Mark(ui.ToneBad, "ENVIRONMENT MISMATCH"), ""}
	lines = append(lines, ui.Wrap("The link was created, and the service says that it is of the environment \""+says+
		"\". This profile is declared "+m.place.Environment+".", max(1, m.w))...)
	lines = append(lines, "", m.theme.Muted.Render("Alias  ")+string(m.made.Alias), "")
	return append(lines, ui.Wrap("Do not give it to anybody. Check the secret key and the base URL of the profile before anything else.", max(1, m.w))...)
}
