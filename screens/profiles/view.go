package profiles

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/keystore"
	"paydesk/screens/present"
	"paydesk/screens/profileform"
	"paydesk/ui"
)

const (
	label = 13 // width of the label column
	below = 4  // lines of a profile below the list
)

// View implements [ui.Screen].
func (m *Model) View() (string, *tea.Cursor) {
	if m.write.Pending() {
		return ui.Lines(m.W, m.H, m.Theme.Mark(ui.ToneWait, "Writing the file…")), nil
	}
	switch m.stage {
	case editing:
		return profileform.View(m.Body, m.form.Form, []string{m.Theme.Strong.Render(m.heading()), ""}, m.trouble.Below(m.Theme, m.W))
	case copying:
		return profileform.View(m.Body, m.ask, append(m.viewProfile(m.target), ""), m.trouble.Below(m.Theme, m.W))
	case deleting:
		return ui.Lines(m.W, m.H, present.FitHeight(m.H, m.viewDelete())...), nil
	}
	lines := m.head()
	if m.config != nil && len(m.names) == 0 {
		create := ui.Bind("n", "new profile")
		return ui.Lines(m.W, m.H, append(lines, m.Theme.Invite("No profiles yet.", create, m.W, m.H-len(lines))...)...), nil
	}
	if len(m.names) > 0 {
		lines = append(lines, m.table.View())
	}
	w, h := m.panes.ListSize()
	return m.panes.View(ui.Lines(w, h, lines...), m.pane), nil
}

// head returns the lines above the list: the path of the file and the last error. A person who wants
// to correct the file by hand finds both there.
func (m *Model) head() []string {
	words := present.Count(len(m.names), "profile", "profiles")
	switch {
	case m.config == nil && m.trouble.IsZero():
		words = "Reading the file…"
	case m.config == nil:
		words = "No profile could be read"
	case len(m.names) == 0:
		words = "No profiles"
	}
	head := m.Theme.Strong.Render(words) + m.Theme.Muted.Render(" in "+present.Plain(m.o.Path))
	w, _ := m.panes.ListSize()
	lines := []string{ui.Fit(head, w)}
	lines = append(lines, m.trouble.Lines(m.Theme, w)...)
	return append(lines, "")
}

// layout gives the table the height that the other parts leave.
func (m *Model) layout() {
	if m.config == nil {
		return
	}
	w, h := m.panes.ListSize()
	m.table.Resize(w, max(h-len(m.head()), 0))
}

// pane is a profile beside the list or below it, where the list names it already.
func (m *Model) pane(i, w, h int) []string {
	p := m.config.Profiles[m.names[i]]
	lines := []string{m.Theme.Rule("Profile "+p.Name, string(p.Environment), w)}
	for _, f := range profileFacts(p)[1:] {
		lines = append(lines, m.Theme.FactLines(f[0], present.Plain(f[1]), label, w)...)
	}
	return lines
}

// viewProfile shows the details of a profile: both hosts in full, because two profiles of one
// service may differ in the path only.
func (m *Model) viewProfile(p keystore.Profile) []string {
	var lines []string
	for _, f := range profileFacts(p) {
		lines = append(lines, m.fact(f[0], f[1]))
	}
	return lines
}

func profileFacts(p keystore.Profile) [][2]string {
	facts := [][2]string{{"Profile", p.Name + ", environment " + string(p.Environment)}, {"Service", p.BaseURL}}
	if p.ListURL != p.BaseURL {
		facts[1][0] = "Payments"
		facts = append(facts, [2]string{"List", p.ListURL})
	}
	return append(facts, [2]string{"Secret key", source(p)})
}

// source says where the key of a profile is.
func source(p keystore.Profile) string {
	return map[string]string{
		"keyring": "in the keyring",
		"command": "printed by " + p.KeyCommand.String(),
		"file":    "in " + p.KeyFile,
		"age":     "sealed with a passphrase",
		"env":     "in " + keystore.Variable,
		"ask":     "typed at each start",
	}[p.Source]
}

// fact is a label and its value, cut to one line: the values come from the file.
func (m *Model) fact(name, value string) string {
	return ui.Fit(m.Theme.Fact(name, present.Plain(value), label), m.W)
}

func (m *Model) heading() string {
	if m.isNew {
		return profileform.Heading
	}
	return "Edit profile " + m.form.Profile().Name
}

// viewDelete asks whether to delete the key too, and says what stays either way. In a low window the
// question and the options stay longest.
func (m *Model) viewDelete() []present.Line {
	p := m.target
	more := "Its history stays in the journal."
	if !managesKey(p) {
		more += " Paydesk does not manage its key."
	}
	if p.Name == m.o.Open {
		more += " The profile stays open until you open another."
	}
	return slices.Concat(present.Rows(0, m.Theme.Strong.Render("Delete the profile "+p.Name+"?")),
		present.Rows(1, append([]string{""}, m.viewProfile(p)...)...),
		present.Rows(2, ""), present.Rows(0, m.menu.Lines(m.W)...), present.Rows(2, ""),
		present.Rows(2, m.Theme.MutedLines(more, m.W)...))
}

// Keys implements [ui.Screen].
func (m *Model) Keys() []key.Binding {
	switch {
	case m.write.Pending():
		return nil
	case m.stage == editing:
		return m.form.Keys()
	case m.stage == copying:
		return m.ask.Keys()[:1]
	case m.stage == deleting:
		return m.menu.Keys()
	case m.selected() == "":
		return m.commands().Keys()
	}
	return append(m.commands().Keys(), m.table.Keys()...)
}

// Title implements [ui.Screen].
func (m *Model) Title() string {
	switch {
	case m.stage != editing || m.write.Pending():
		return "Profiles"
	case m.isNew:
		return ui.Inside("Profiles", "New profile")
	}
	return ui.Inside("Profiles", "Profile")
}

// Explain returns the text of the help page.
func (m *Model) Explain() []string {
	return []string{
		"A profile names a service, its environment and where its key is. Open another here, edit one or add one.",
		"Opening another profile closes the current one: forms are cleared and checks stop. It has to wait while a request is in progress.",
		"Each profile is a small file, which is written at once and as a whole: a comment in it does not last. Edit it for the settings that are not shown here.",
		"At the start, --profile NAME or PAYDESK_PROFILE chooses the profile; without them the default one is opened.",
	}
}
