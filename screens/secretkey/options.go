package secretkey

import (
	"cmp"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/keystore"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/ui"
)

// An option is a way to get a key when the source has none.
type option struct {
	ui.Command
	name  string
	about string
}

// showMissing says why there is no key and shows the options.
func (m *Model) showMissing(why present.Problem) {
	m.profile, m.stage, m.missing, m.trouble, m.chosen = m.o.Profile, choosing, why, present.Problem{}, false
}

// options returns what can be chosen now. Each option says where the key will be stored, because no
// key is stored in a place that the person did not choose.
func (m *Model) options() []option {
	var all []option
	add := func(k, short, name, about string, do func() tea.Cmd) {
		all = append(all, option{ui.Command{Key: ui.Bind(k, short), On: true, Do: do}, name, about})
	}
	p := m.o.Profile
	switch p.Source {
	case "env": // read once, when paydesk started
	case "command":
		add("r", "run again", "Run the command again", "for up to 10 s", m.reopen)
	case "file", "age":
		add("r", "read again", "Read the file again", "once it is fixed", m.reopen)
	default:
		add("r", "retry", "Try "+SourceName(m.o.Store(p).Name())+" again", "for up to 60 s: it may show a prompt", m.reopen)
	}
	if lends, ok := m.o.Store(p).(keystore.Prompter); ok {
		add("x", "with the terminal", "Run it with the terminal", "where it can prompt for a passphrase", func() tea.Cmd { return m.runInteractive(lends) })
	}
	if p.Source != "ask" {
		add("t", "type it", "Type the key", "for this run only; it is stored nowhere", m.enterWith("ask"))
	}
	if m.o.Write != nil { // the demo stores nothing
		add("a", "passphrase", "Seal it with a passphrase", "in "+m.path(), m.enterWith("age"))
		if p.Source != "keyring" {
			add("k", "keyring", "Store it in the keyring", "of this user, on this host", m.enterWith("keyring"))
		}
	}
	if m.o.Write != nil && !m.o.Replace {
		add("p", "profiles", "Another profile", "open it, or correct this one", func() tea.Cmd { return nav.Open(nav.Profiles{}) })
	}
	if m.o.Doctor {
		add("d", "doctor", "Doctor", "what works on this host, step by step", func() tea.Cmd { return nav.Open(nav.Doctor{Profile: p}) })
	}
	return all
}

// reopen reads the source again at the request of a person, who can answer its prompt.
func (m *Model) reopen() tea.Cmd { return m.readSource(true) }

// enterWith returns the action of an option that asks for the key and stores it in another source.
func (m *Model) enterWith(source string) func() tea.Cmd {
	return func() tea.Cmd {
		m.chosen = true
		m.enterFor(source)
		return nil
	}
}

// commands are the keys of a stage that asks what to do, and what they do. A stage that waits or has
// a form has none of them.
func (m *Model) commands() (cs ui.Commands) {
	switch m.stage {
	case choosing:
		for _, o := range m.options() {
			cs = append(cs, o.Command)
		}
	case deciding:
		return ui.Commands{
			{Key: ui.Bind("u", "use for this run only"), On: true, Do: func() tea.Cmd { return m.connect(m.key, m.o.Profile, thisRun) }},
			{Key: ui.Bind("r", "try storing again"), On: true, Do: func() tea.Cmd { return m.save(m.key) }},
		}
	case confirming:
		return ui.Commands{
			{Key: ui.Bind("y", "change the profile"), On: true, Do: m.changeProfile},
			{Key: ui.Bind("n", "leave it as it is"), On: true, Do: func() tea.Cmd { return m.connect(m.key, m.o.Profile, m.source()) }},
		}
	}
	return cs
}

// SourceName names a source within a sentence.
func SourceName(source string) string {
	names := map[string]string{"command": "key command", "age": "sealed file", "env": "environment"}
	return "the " + cmp.Or(names[source], source)
}

// defaultSource is where a typed key is stored unless the person chooses: the source of the
// profile, or nowhere if paydesk cannot write there.
func (m *Model) defaultSource() string {
	s := m.o.Profile.Source
	if s == "command" || s == "file" || s == "env" {
		return "ask"
	}
	return s
}

// viewOptions shows the options, one per line. The names have a column of their own, and in a narrow
// window the explanations are cut.
func (m *Model) viewOptions() []string {
	const names = 28
	var lines []string
	for _, w := range m.options() {
		line := "  " + m.Theme.Accent.Render(w.Key.Help().Key) + "  " + ui.Fit(w.name, min(names, max(m.W-5, 0)))
		lines = append(lines, line+m.Theme.Muted.Render(ui.Fit(present.Plain(w.about), max(m.W-names-5, 0))))
	}
	return lines
}

// Bindings of the screen. While the person types, only control keys are free.
var (
	keyAgain       = ui.Bind("ctrl+r", "retry")
	keyOptions     = ui.Bind("ctrl+o", "options")
	keyStoreAnyway = ui.Bind("ctrl+k", "store anyway")
	keyCancel      = ui.Bind("esc", "stop waiting")
)

// Keys implements [ui.Screen].
func (m *Model) Keys() []key.Binding {
	back := ui.Back
	back.SetEnabled(m.chosen)
	switch m.stage {
	case choosing, confirming:
		return m.commands().Keys()
	case entering:
		again, options, storeAnyway := m.entryKeys()
		verify := m.form.Keys()[0]
		verify.SetHelp("enter", "verify it")
		return []key.Binding{verify, storeAnyway, back, again, options}
	case unlocking:
		return []key.Binding{m.passphraseForm.Keys()[0], keyOptions}
	case sealing:
		return append(m.passphraseForm.Keys(), ui.Back)
	case deciding:
		return append(m.commands().Keys(), ui.Back)
	case readdressing:
		return m.question.Keys()
	case writing:
		return nil
	}
	return []key.Binding{keyCancel}
}
