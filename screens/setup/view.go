package setup

import (
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/screens/present"
	"paydesk/ui"
)

const indent = 5 // width before the text of an option

// View implements [ui.Screen].
func (m *Model) View() (string, *tea.Cursor) {
	if m.stage == editing || m.stage == saving {
		return m.viewForm()
	}
	lines := present.Rows(0, m.theme.Strong.Render("There is no configuration yet. You can:"))
	if m.keys.demo.Enabled() {
		lines = append(lines, m.viewOption("d", "Try the demo", "a sandbox inside this program, with play money: no account, no network, nothing is saved")...)
	}
	lines = append(lines, m.viewOption("n", "Create a profile", "for a service that gave you a secret key: five questions")...)
	lines = append(lines, m.viewOption(" ", "Write the file yourself", "a TOML file; the README lists every setting. Path:")...)
	lines = append(lines, present.Rows(0, "     "+m.path(indent))...)
	if m.stage == starting {
		lines = append(lines, present.Rows(0, "", m.theme.Mark(ui.ToneWait, "Starting the demo…"))...)
	}
	lines = append(lines, present.Rows(0, m.viewTrouble()...)...)
	return ui.Lines(m.w, m.h, present.FitHeight(m.h, lines)...), nil
}

func (m *Model) viewOption(k, name, about string) []present.Line {
	lines := append(present.Rows(1, ""), present.Rows(0, "  "+m.theme.Accent.Render(k)+"  "+name)...)
	for _, l := range ui.Wrap(about, max(1, m.w-indent)) {
		lines = append(lines, present.Rows(0, "     "+m.theme.Muted.Render(l))...)
	}
	return lines
}

func (m *Model) viewForm() (string, *tea.Cursor) {
	const goesInto = "It is saved in "
	head := []string{
		m.theme.Strong.Render("A profile says which service to use."),
		m.theme.Muted.Render(goesInto + m.path(len(goesInto))), "",
	}
	foot := m.viewTrouble()
	if m.stage == saving {
		foot = []string{"", m.theme.Mark(ui.ToneWait, "Writing the file…")}
	}
	form, cursor := m.form.View(m.w, max(0, m.h-len(head)-len(foot)))
	if cursor != nil {
		cursor.Y += len(head)
	}
	if m.stage == saving {
		cursor = nil
	}
	return ui.Lines(m.w, m.h, append(append(head, form), foot...)...), cursor
}

// path shortens a long path at its beginning, because its end tells more; taken is the width
// before it on its line.
func (m *Model) path(taken int) string {
	path := api.Clean(m.o.Path).Line(0)
	room := max(8, m.w-taken)
	over := utf8.RuneCountInString(path) - room
	if over <= 0 {
		return path
	}
	return "…" + string([]rune(path)[over+1:])
}

func (m *Model) viewTrouble() []string {
	if m.trouble == "" {
		return nil
	}
	return append([]string{""}, present.Problem{What: m.trouble}.Lines(m.theme, m.w)...)
}
