package link

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"paydesk/screens/show"
	"paydesk/ui"
)

// View implements [ui.Screen].
func (m *Model) View() (string, *tea.Cursor) {
	switch m.stage {
	case confirming:
		return m.confirm.View(m.w, m.h)
	case sending:
		return ui.Lines(m.w, m.h, "Creating the link…", "", m.theme.Muted.Render("It is sent once. Nothing is sent again by itself.")), nil
	case unresolved:
		return ui.Lines(m.w, m.h, m.lost()...), nil
	}
	head := m.troubles()
	w := m.w
	var right []string
	if m.w >= show.Beside {
		w = m.w - show.Pane - 2
		right = append([]string{m.theme.Strong.Render("What will be sent"), ""}, strings.Split(m.body, "\n")...)
	}
	form, cursor := m.form.View(w, max(0, m.h-len(head)))
	if cursor != nil {
		cursor.Y += len(head)
	}
	left := append(head, strings.Split(form, "\n")...)
	return ui.Lines(m.w, m.h, show.SideBySide(w, left, right)...), cursor
}

func (m *Model) troubles() []string {
	var lines []string
	for i, s := range m.trouble {
		for _, l := range ui.Wrap(s, max(1, m.w-2)) {
			if i == 0 {
				lines = append(lines, m.theme.Error.Render("! "+l))
			} else {
				lines = append(lines, "  "+l)
			}
		}
	}
	if len(lines) > 0 {
		lines = append(lines, "")
	}
	return lines
}

// lost says that nobody knows, and offers no way to send again.
func (m *Model) lost() []string {
	lines := []string{m.theme.Mark(ui.ToneUnknown, "Nobody knows whether this link was created"), ""}
	for _, s := range append(m.trouble, "Look for \""+m.draft.Name+"\" in the merchant dashboard. A link moves no money by itself; one that was created twice does no harm until it is given to somebody.") {
		lines = append(lines, ui.Wrap(s, max(1, m.w))...)
	}
	return lines
}
