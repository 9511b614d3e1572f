package keys

import (
	"cmp"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/keystore"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/ui"
)

// showMissing says why there is no key and shows the options.
func (m *Entry) showMissing(why present.Problem) {
	m.profile, m.stage, m.missing, m.trouble, m.chosen = m.o.Profile, choosing, why, present.Problem{}, false
	m.menu.Set(m.options()...)
	m.menu.First()
}

// findKeyring looks for a keyring to offer, but only once the options are shown: a start that reads its key elsewhere does not wait for
// the bus.
func (m *Entry) findKeyring() tea.Cmd {
	if m.looked || m.o.Profile.Source == "keyring" || m.o.NoKeyring {
		return nil
	}
	m.looked = true
	return findKeyring(m.Scope, &m.looking, m.o.Keyring, func(there bool) tea.Cmd {
		if m.o.NoKeyring = !there; m.stage == choosing {
			m.menu.Set(m.options()...)
		}
		return nil
	})
}

// Unusable shows the options in place of a key with which nothing can be opened.
func (m *Entry) Unusable(err error) tea.Cmd {
	m.showMissing(present.Problem{What: present.Sentence(err.Error())})
	return m.findKeyring()
}

// options returns what can be chosen now. Each option says where the key will be stored, because no
// key is stored in a place that the person did not choose.
func (m *Entry) options() (all []ui.MenuItem) {
	add := func(name, about string, do func() tea.Cmd) {
		all = append(all, ui.MenuItem{Name: name, About: present.Plain(about), Do: do})
	}
	p := m.o.Profile
	switch p.Source {
	case "env", "ask": // env is read once, at the start, and ask is typed
	case "command":
		add("Run the command again", "for up to 10 s", m.reopen)
	case "file", "age":
		add("Read the file again", "once it is fixed", m.reopen)
	default:
		add("Try "+SourceName(m.o.Store(p).Name())+" again", "for up to 60 s: it may show a prompt", m.reopen)
	}
	if len(all) > 0 {
		all[0].Key = ui.Bind("r", "again")
	}
	if lends, ok := m.o.Store(p).(keystore.Prompter); ok {
		add("Run it with the terminal", "where it can prompt for a passphrase", func() tea.Cmd { return m.runInteractive(lends) })
	}
	add("Type the key", "for this run only; it is stored nowhere", m.enterWith("ask"))
	if m.o.SetSource != nil || m.o.First { // the demo stores nothing
		if !m.o.NoFile {
			add("Seal it with a passphrase", "in "+m.path(), m.enterWith("age"))
		}
		if p.Source != "keyring" && !m.o.NoKeyring {
			add("Store it in the keyring", "of this user, on this host", m.enterWith("keyring"))
		}
	}
	if m.o.SetSource != nil && !m.o.Replace {
		add("Another profile", "open it, or correct this one", func() tea.Cmd { return nav.Open(nav.Profiles{}) })
	}
	if m.o.SetSource != nil { // it examines what is in the file
		add("Doctor", "what works on this host, step by step", func() tea.Cmd { return nav.Open(nav.Doctor{Profile: p}) })
		all[len(all)-1].Key = ui.Bind("i", "doctor")
	}
	return all
}

// reopen reads the source again at the request of a person, who can answer its prompt.
func (m *Entry) reopen() tea.Cmd { return m.readSource(true) }

// enterWith returns the action of an option that asks for the key and stores it in another source.
func (m *Entry) enterWith(source string) func() tea.Cmd {
	return func() tea.Cmd {
		m.chosen = true
		m.enterFor(source)
		return nil
	}
}

// ways returns what can be done with a key that was not stored.
func (m *Entry) ways() []ui.MenuItem {
	p := m.o.Profile
	if m.o.First { // it is written so that the next start asks, and looks for nothing
		p = p.WithSource("ask")
	}
	return []ui.MenuItem{
		{Name: "Use it for this run only", About: "it stays in memory", Do: func() tea.Cmd { return m.connect(m.key, p, thisRun) }},
		{Name: "Try storing it again", About: "in " + SourceName(m.source()), Key: ui.Bind("r", "store again"), Do: func() tea.Cmd { return m.save(m.key) }},
	}
}

// SourceName names a source within a sentence.
func SourceName(source string) string {
	names := map[string]string{"command": "key command", "file": "key file", "age": "sealed file", "env": "environment"}
	return "the " + cmp.Or(names[source], source)
}

// defaultSource returns where a typed key is stored unless the person chooses: the source of the
// profile, or nowhere if paydesk cannot write there.
func (m *Entry) defaultSource() string {
	if s := m.o.Profile.Source; keystore.StoredElsewhere(s) == "" {
		return s
	}
	return "ask"
}

// Bindings of the screen. While the person types, only control keys are free.
var (
	keyAgain       = ui.Bind("ctrl+r", "retry")
	keyOptions     = ui.Bind("ctrl+o", "options")
	keyStoreAnyway = ui.Bind("ctrl+k", "store anyway")
	keyCancel      = ui.Bind("esc", "stop waiting")
)

// Keys implements [ui.Screen].
func (m *Entry) Keys() []key.Binding {
	back := ui.Back
	back.SetEnabled(m.chosen || m.isFirst())
	switch m.stage {
	case choosing:
		return m.menu.Keys()
	case entering:
		again, options, storeAnyway := m.entryKeys()
		verify := m.form.Keys()[0]
		verify.SetHelp("enter", "verify it")
		return []key.Binding{verify, storeAnyway, back, again, options}
	case unlocking:
		return []key.Binding{m.passphraseForm.Keys()[0], keyOptions, back}
	case sealing:
		return append(m.passphraseForm.Keys(), ui.Back)
	case deciding:
		return append(m.menu.Keys(), ui.Back)
	case readdressing:
		return m.question.Keys()
	}
	return []key.Binding{keyCancel}
}
