package profiles

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/keystore"
	"paydesk/screens/present"
	"paydesk/ui"
)

const label = 13 // width of the label column

// View implements [ui.Screen].
func (m *Model) View() (string, *tea.Cursor) {
	if m.w < 1 || m.h < 1 {
		return "", nil
	}
	switch m.stage {
	case editing:
		return m.viewForm(m.form.View, []string{m.theme.Strong.Render(m.heading())})
	case copying:
		return m.viewForm(m.ask.View, m.viewProfile(m.target))
	case deleting:
		return ui.Lines(m.w, m.h, present.FitHeight(m.h, m.viewDelete())...), nil
	case working:
		return ui.Lines(m.w, m.h, m.theme.Mark(ui.ToneWait, "Writing the file…")), nil
	}
	lines := m.head()
	if len(m.names) > 0 {
		lines = append(lines, m.table.View(), "")
		lines = append(lines, m.viewProfile(m.profile())...)
	}
	return ui.Lines(m.w, m.h, lines...), nil
}

// head returns the lines above the list: the path of the file and the last error.
func (m *Model) head() []string {
	words := "Reading the file…"
	if m.config != nil {
		words = present.Thousands(len(m.names)) + " profiles"
		switch len(m.names) {
		case 0:
			words = "No profiles yet: n creates one"
		case 1:
			words = "1 profile"
		}
	}
	if !m.trouble.IsZero() && m.config == nil {
		words = "No profile could be read"
	}
	head := m.theme.Strong.Render(words) + m.theme.Muted.Render(" in "+api.Clean(m.o.Path).Line(0))
	lines := []string{ui.Fit(head, m.w)}
	lines = append(lines, m.trouble.Lines(m.theme, m.w)...)
	return append(lines, "")
}

// layout gives the table the height that the other parts leave.
func (m *Model) layout() {
	if m.config == nil {
		return
	}
	head := strings.Count(strings.Join(m.head(), "\n"), "\n") + 1
	const card = 4 // lines
	m.table.Resize(m.w, max(min(m.h-head-1-card, len(m.names)+1), 0))
}

// viewProfile shows the details of a profile.
func (m *Model) viewProfile(p keystore.Profile) []string {
	return []string{
		m.fact("Profile", p.Name+", environment "+string(p.Environment)),
		m.fact("Payments", p.BaseURL),
		m.fact("List", p.ListURL),
		m.fact("Secret key", source(p)),
	}
}

// source says where the key of a profile is.
func source(p keystore.Profile) string {
	switch p.Source {
	case "command":
		return "printed by " + p.KeyCommand.String()
	case "file":
		return "in " + p.KeyFile
	case "age":
		return "sealed with a passphrase"
	case "env":
		return "in " + keystore.Variable
	case "ask":
		return "typed at each start"
	}
	return "in the keyring"
}

func (m *Model) fact(name, value string) string {
	return m.theme.Muted.Render(ui.Fit(name, min(label, m.w))) + ui.Fit(api.Clean(value).Line(0), max(m.w-label, 0))
}

func (m *Model) heading() string {
	if m.isNew {
		return "A profile says which service to use."
	}
	return "Edit profile " + m.form.Profile().Name
}

// viewForm shows a form below a heading, with the last error at its end.
func (m *Model) viewForm(view func(w, h int) (string, *tea.Cursor), head []string) (string, *tea.Cursor) {
	head = append(head, "")
	foot := m.trouble.Lines(m.theme, m.w)
	if len(foot) > 0 {
		foot = append([]string{""}, foot...)
	}
	const least = 3 // lines that a usable form needs
	if over := len(head) + len(foot) + least - m.h; over > 0 {
		head = head[min(over, len(head)):]
	}
	form, cursor := view(m.w, max(0, m.h-len(head)-len(foot)))
	if cursor != nil {
		cursor.Y += len(head)
		if cursor.Y >= m.h {
			cursor = nil
		}
	}
	return ui.Lines(m.w, m.h, append(append(head, form), foot...)...), cursor
}

// viewDelete asks whether to delete the key too.
func (m *Model) viewDelete() []present.Line {
	p := m.target
	lines := present.Rows(0, m.theme.Strong.Render("Delete the profile "+p.Name+"?"))
	lines = append(lines, present.Rows(1, append([]string{""}, m.viewProfile(p)...)...)...)
	lines = append(lines, present.Rows(2, "")...)
	option := func(k, words string) {
		lines = append(lines, present.Rows(0, "  "+m.theme.Accent.Render(k)+"  "+ui.Fit(words, max(m.w-5, 0)))...)
	}
	option(keyProfileOnly.Help().Key, "delete the profile; its key stays where it is")
	if managesKey(p) {
		option(keyBoth.Help().Key, "delete both, the profile and its key")
	}
	lines = append(lines, present.Rows(2, "")...)
	more := "Its history stays in the journal."
	if !managesKey(p) {
		more += " Paydesk does not manage its key."
	}
	if p.Name == m.o.Open {
		more += " The profile stays open until you open another."
	}
	for _, l := range ui.Wrap(more, m.w) {
		lines = append(lines, present.Rows(2, m.theme.Muted.Render(l))...)
	}
	return lines
}
