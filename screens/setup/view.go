package setup

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"paydesk/ui"
)

// View implements [ui.Screen].
func (m *Model) View() (string, *tea.Cursor) {
	if m.stage == editing || m.stage == saving {
		return m.viewForm()
	}
	t := m.theme
	lines := []string{t.Strong.Render("There is no configuration yet. Three ways on:"), ""}
	if m.keys.demo.Enabled() {
		lines = append(lines, m.way("d", "Try the demo", "a sandbox inside this program, with play money; no account, no network, nothing is kept")...)
	}
	lines = append(lines, m.way("n", "Create a profile", "for a service you have a secret key for; four questions")...)
	lines = append(lines, m.way(" ", "Write the file yourself", "it is TOML; the README shows every key. It lies at")...)
	lines = append(lines, "     "+m.o.Path)
	if m.stage == starting {
		lines = append(lines, "", "Starting the demo…")
	}
	return ui.Lines(m.w, m.h, append(lines, m.troubles()...)...), nil
}

func (m *Model) way(k, name, about string) []string {
	lines := []string{"  " + m.theme.Accent.Render(k) + "  " + name}
	for _, l := range ui.Wrap(about, max(1, m.w-6)) {
		lines = append(lines, "     "+m.theme.Muted.Render(l))
	}
	return append(lines, "")
}

func (m *Model) viewForm() (string, *tea.Cursor) {
	head := []string{m.theme.Strong.Render("A profile says which service to speak to."), m.theme.Muted.Render("It goes into " + m.path()), ""}
	foot := m.troubles()
	if m.stage == saving {
		foot = append(foot, "", "Writing the file…")
	}
	form, cursor := m.form.View(m.w, max(0, m.h-len(head)-len(foot)))
	if cursor != nil {
		cursor.Y += len(head)
	}
	if m.stage == saving {
		cursor = nil
	}
	lines := append(head, strings.Split(form, "\n")...)
	return ui.Lines(m.w, m.h, append(lines, foot...)...), cursor
}

// path keeps the end of a long path, which tells more than its beginning.
func (m *Model) path() string {
	room := max(8, m.w-14)
	if r := []rune(m.o.Path); len(r) > room {
		return "…" + string(r[len(r)-room+1:])
	}
	return m.o.Path
}

func (m *Model) troubles() []string {
	if m.trouble == "" {
		return nil
	}
	lines := []string{""}
	for _, l := range ui.Wrap(m.trouble, max(1, m.w-2)) {
		lines = append(lines, m.theme.Error.Render("! "+l))
	}
	return lines
}
