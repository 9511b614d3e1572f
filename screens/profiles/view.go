package profiles

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/keystore"
	"paydesk/screens/present"
	"paydesk/ui"
)

const label = 13 // width of the label column

// View implements [ui.Screen].
func (m *Model) View() (string, *tea.Cursor) {
	if m.write.Pending() {
		return ui.Lines(m.W, m.H, m.Theme.Mark(ui.ToneWait, "Writing the file…")), nil
	}
	switch m.stage {
	case editing:
		return m.viewForm(m.form.View, []string{m.Theme.Strong.Render(m.heading())})
	case copying:
		return m.viewForm(m.ask.View, m.viewProfile(m.target))
	case deleting:
		return ui.Lines(m.W, m.H, present.FitHeight(m.H, m.viewDelete())...), nil
	}
	lines := m.head()
	if len(m.names) > 0 {
		lines = append(lines, m.table.View(), "")
		lines = append(lines, m.viewProfile(m.profile())...)
	}
	return ui.Lines(m.W, m.H, lines...), nil
}

// head returns the lines above the list: the path of the file and the last error.
func (m *Model) head() []string {
	words := present.Thousands(len(m.names)) + " profiles"
	switch {
	case m.config == nil && m.trouble.IsZero():
		words = "Reading the file…"
	case m.config == nil:
		words = "No profile could be read"
	case len(m.names) == 0:
		words = "No profiles yet: n creates one"
	case len(m.names) == 1:
		words = "1 profile"
	}
	head := m.Theme.Strong.Render(words) + m.Theme.Muted.Render(" in "+present.Plain(m.o.Path))
	lines := []string{ui.Fit(head, m.W)}
	lines = append(lines, m.trouble.Lines(m.Theme, m.W)...)
	return append(lines, "")
}

// layout gives the table the height that the other parts leave.
func (m *Model) layout() {
	if m.config == nil {
		return
	}
	const card = 4 // lines
	m.table.Resize(m.W, max(min(m.H-len(m.head())-1-card, len(m.names)+1), 0))
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
		return "A profile says which service to use."
	}
	return "Edit profile " + m.form.Profile().Name
}

// viewForm shows a form below a heading, with the last error at its end.
func (m *Model) viewForm(view func(w, h int) (string, *tea.Cursor), head []string) (string, *tea.Cursor) {
	head = append(head, "")
	foot := m.trouble.Below(m.Theme, m.W)
	const least = 3 // lines that a usable form needs
	if over := len(head) + len(foot) + least - m.H; over > 0 {
		head = head[min(over, len(head)):]
	}
	form, cursor := ui.Below(m.W, m.H-len(foot), head, view)
	return ui.Lines(m.W, m.H, append([]string{form}, foot...)...), cursor
}

// viewDelete asks whether to delete the key too.
func (m *Model) viewDelete() []present.Line {
	p := m.target
	option := func(b key.Binding, words string) string {
		return "  " + m.Theme.Accent.Render(b.Help().Key) + "  " + ui.Fit(words, max(m.W-5, 0))
	}
	options := []string{option(keyProfileOnly, "delete the profile; its key stays where it is")}
	more := "Its history stays in the journal."
	if managesKey(p) {
		options = append(options, option(keyBoth, "delete both, the profile and its key"))
	} else {
		more += " Paydesk does not manage its key."
	}
	if p.Name == m.o.Open {
		more += " The profile stays open until you open another."
	}
	lines := slices.Concat(present.Rows(0, m.Theme.Strong.Render("Delete the profile "+p.Name+"?")),
		present.Rows(1, append([]string{""}, m.viewProfile(p)...)...),
		present.Rows(2, ""), present.Rows(0, options...), present.Rows(2, ""))
	for _, l := range ui.Wrap(more, m.W) {
		lines = append(lines, present.Rows(2, m.Theme.Muted.Render(l))...)
	}
	return lines
}

var (
	keyOpen        = ui.Bind("enter", "open")
	keyNew         = ui.Bind("n", "new")
	keyEdit        = ui.Bind("e", "edit")
	keyCopy        = ui.Bind("c", "copy")
	keyDelete      = ui.Bind("d", "delete")
	keyDefault     = ui.Bind("f", "make default")
	keyDoctor      = ui.Bind("w", "run doctor")
	keyReload      = ui.Bind("r", "read again")
	keyProfileOnly = ui.Bind("p", "profile only")
	keyBoth        = ui.Bind("b", "profile and key")
)

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
		both := keyBoth
		both.SetEnabled(managesKey(m.target))
		return []key.Binding{keyProfileOnly, both}
	case m.config == nil:
		return []key.Binding{keyReload}
	case m.selected() == "":
		return []key.Binding{keyNew, keyReload}
	}
	works := keyDoctor
	works.SetEnabled(m.o.Doctor)
	return append([]key.Binding{keyOpen, keyNew, keyEdit, keyCopy, keyDelete, keyDefault, works, keyReload}, m.table.Keys()...)
}

// Title implements [ui.Screen].
func (m *Model) Title() string {
	switch {
	case m.stage != editing || m.write.Pending():
		return "Profiles"
	case m.isNew:
		return "New profile"
	}
	return "Profile"
}

// Explain returns the text of the help page.
func (m *Model) Explain() []string {
	return []string{
		"A profile names a service, its environment and where its key is. Opening another one closes the current one: forms are cleared and checks stop. That has to wait while a request is in progress.",
		"Changes are written to the file at once; its comments and order stay. Edit the file for the settings that are not shown here.",
		"At the start, --profile NAME or PAYDESK_PROFILE chooses the profile; without them the default one is opened.",
	}
}
