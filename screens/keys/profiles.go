// Package keys has the screens of profiles and their keys.
//
//   - setup.go, [Setup]: the first screen on a host without a configuration; ready.go, [Ready]: the end of the first run, which is the doctor's;
//   - profiles.go, [Profiles]: the list; change.go: the forms over it, and writing; profileform.go: the form of one profile;
//   - doctor.go, [Doctor]: what works on this host for a profile;
//   - secretkey.go with entryview.go, [Entry]: gets the secret key of a profile; source.go: reads its source, stores a key there, and
//     changes the profile to match; address.go: the question about a key that would be sent to another address than before; options.go: the
//     options if the source has no key, and the bindings; entry.go: typing and verifying a key, and its passphrase.
package keys

import (
	"context"
	"maps"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/keystore"
	"paydesk/screens/list"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/screens/report"
	"paydesk/ui"
)

// ProfilesOptions configure the screen.
type ProfilesOptions struct {
	Folder keystore.Folder // of the configuration
	Store  func(keystore.Profile) keystore.Store
	// Open is the name of the open profile; "" if none is open.
	Open string
	// Keyring reports whether there is a keyring for the key of a new profile; nil where there is.
	Keyring func(context.Context) bool
}

// A Profiles is the screen that lists the profiles and creates, edits, copies, deletes and
// opens them. Every change is written to the file of the profile at once.
// A file that another program has changed is read again first.
type Profiles struct {
	*list.Model[keystore.Profile]
	o      ProfilesOptions
	config *keystore.Config // as last read; nil before the first read
	write  ui.Call[struct{}]

	keyring bool           // there is one, as far as is known
	looking ui.Call[bool]  // for it
	next    func() tea.Cmd // opens the form that waits until that has ended; nil for none
}

const (
	profileLabel = 13 // width of the label column
	settingName  = 20 // width of the names of settings
	least        = 4  // lines of a profile below the list
)

// NewProfiles returns the screen. The profile that is open is marked first.
func NewProfiles(t *ui.Theme, o ProfilesOptions) *Profiles {
	m := &Profiles{o: o, keyring: true}
	m.Model = list.New(t, list.Of[keystore.Profile]{
		Title: "Profiles", One: "profile", Many: "profiles", Columns: m.columns,
		ID:   func(p keystore.Profile) string { return p.Name },
		Read: m.read,
		Problem: func(err error) present.Problem {
			return present.Problem{What: "The configuration in " + present.Plain(string(o.Folder)) + " cannot be read.", Detail: present.Plain(err.Error()), Next: "Correct it, then read it again (r)."}
		},
		Says: m.says,
		None: func() (string, key.Binding) { return "No profiles yet.", ui.Bind("n", "new profile") },
		Pane: m.pane, Below: m.below, Commands: m.commands,
	})
	m.Seek(o.Open)
	return m
}

// Init implements [ui.Screen].
func (m *Profiles) Init(s ui.Scope) tea.Cmd {
	return tea.Batch(m.Model.Init(s), findKeyring(s, &m.looking, m.o.Keyring, func(there bool) tea.Cmd {
		next := m.next
		if m.keyring, m.next = there, nil; next == nil {
			return nil
		}
		m.EndNews()
		return next()
	}))
}

// Update implements [ui.Screen]. A form that waits for the keyring is not opened any more once another key is pressed.
func (m *Profiles) Update(msg tea.Msg) tea.Cmd {
	if _, pressed := msg.(tea.KeyPressMsg); pressed {
		m.next = nil
	}
	return m.Model.Update(msg)
}

// whenLooked opens a form once it is known whether there is a keyring to offer.
func (m *Profiles) whenLooked(open func() tea.Cmd) tea.Cmd {
	if !m.looking.Pending() {
		return open()
	}
	m.next = open
	return m.Notify("Looking for a keyring…")
}

// says where the profiles are, behind their number. A keyring may ask a person before a key is deleted.
func (m *Profiles) says() string {
	words := " in " + present.Plain(string(m.o.Folder))
	if m.write.Pending() {
		words += ", which is being changed…"
	}
	return m.Theme.Muted.Render(words)
}

// read loads the files in the background, since the folder may be on a slow disk.
func (m *Profiles) read(list.Want[keystore.Profile]) list.Reading[keystore.Profile] {
	folder := m.o.Folder
	return func(context.Context) (rows list.Rows[keystore.Profile], err error) {
		c, err := folder.LoadOrEmpty()
		if err != nil {
			return rows, err
		}
		var all []keystore.Profile
		for _, name := range slices.Sorted(maps.Keys(c.Profiles)) {
			all = append(all, c.Profiles[name])
		}
		rows = list.All(all)
		rows.Keep = func() { m.config = c }
		return rows, nil
	}
}

func (m *Profiles) columns() []report.Column[keystore.Profile] {
	if m.config == nil {
		return nil
	}
	return report.Profiles(m.config, m.o.Open)
}

// commands are the keys of the list. Without files that can be read, that is reading them again.
func (m *Profiles) commands() ui.Commands {
	if m.config == nil {
		return ui.Commands{m.Reload()}
	}
	return ui.Commands{
		m.On(ui.Bind("enter", "open"), nil, func(p keystore.Profile) tea.Cmd {
			return func() tea.Msg { return nav.Restart{To: nav.Key{Profile: p}} }
		}),
		{Key: ui.Bind("n", "new"), On: true, Do: m.create},
		m.On(ui.Bind("e", "edit"), nil, m.edit),
		m.On(ui.Bind("+", "duplicate"), nil, m.duplicate),
		m.On(ui.Bind("x", "delete"), m.whyKept, m.askDelete),
		m.On(ui.Bind("*", "make default"), nil, m.makeDefault),
		m.On(ui.Bind("i", "doctor"), nil, func(p keystore.Profile) tea.Cmd { return nav.Open(nav.Doctor{Profile: p}) }),
		m.Reload(),
	}
}

// pane is a profile beside the list or below it.
func (m *Profiles) pane(p keystore.Profile, w, h int) []string {
	lines := append([]string{m.Theme.Rule("Profile "+p.Name, string(p.Environment), w)}, facts(m.Theme, p, w)...)
	if h <= least {
		return lines
	}
	note, set := "all are default", []string(nil)
	usual := keystore.Profile{Environment: p.Environment, BaseURL: p.BaseURL, ListURL: p.ListURL}.WithSource(p.Source).WithDefaults().Shareable()
	for _, setting := range p.Shareable() {
		if !slices.Contains(usual, setting) {
			name, value, _ := strings.Cut(setting, " = ")
			note, set = "others are default", append(set, m.Theme.FactLines(name, present.Plain(value), settingName, w)...)
		}
	}
	return append(append(lines, "", m.Theme.Rule("Settings", note, w)), set...)
}

// below are the lines of a profile below the list: it begins below the last row of a short one.
func (m *Profiles) below() int {
	if m.config == nil {
		return least
	}
	const around = 3 // lines of the list that are no rows, with a blank
	return max(m.H-around-len(m.config.Profiles), least)
}

// facts are the details of a profile: both hosts in full, because two profiles of one
// service may differ in the path only.
func facts(t *ui.Theme, p keystore.Profile, w int) (lines []string) {
	all := [][2]string{{"Service", p.BaseURL}}
	if p.ListURL != p.BaseURL {
		all = [][2]string{{"Payments", p.BaseURL}, {"List", p.ListURL}}
	}
	for _, f := range append(all, [2]string{"Secret key", source(p)}) {
		lines = append(lines, t.FactLines(f[0], present.Plain(f[1]), profileLabel, w)...)
	}
	return lines
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

// WhyStay returns why the screen cannot be left now.
func (m *Profiles) WhyStay() string { return whyWriting(&m.write) }

// Explain returns the text of the help page.
func (m *Profiles) Explain() []string {
	return []string{
		"A profile names a service, its environment and where its key is. Open another here, edit one or add one.",
		"Opening another profile closes the current one, and checks stop. It has to wait until a form being filled in is left, and while a request is in progress.",
		"Each profile is a small file, which is written at once and as a whole: a comment in it does not last. Edit it for the settings that have no field here.",
		"At the start, --profile NAME or PAYDESK_PROFILE chooses the profile; without them the default one is opened.",
	}
}

// Command implements [ui.Commander].
func (m *Profiles) Command() []string { return []string{"profile", "list"} }
