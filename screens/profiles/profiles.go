// Package profiles is the screen that lists the profiles and creates, edits, copies, deletes and
// opens them. Every change is written to the file of the profile at once.
// A file that another program has changed is read again first.
//
//   - profiles.go: the screen and the list; change.go: editing and writing;
//   - view.go: what it shows, and its keys.
package profiles

import (
	"cmp"
	"context"
	"maps"
	"slices"

	tea "charm.land/bubbletea/v2"

	"paydesk/keystore"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/screens/profileform"
	"paydesk/screens/report"
	"paydesk/ui"
)

// A Folder is the configuration folder. Its methods do I/O: call them in commands.
type Folder interface {
	LoadOrEmpty() (*keystore.Config, error)
	Create(keystore.Profile) error
	Edit(keystore.Profile) error
	Remove(name string) error
	SetDefault(name string) error
}

// Options configure the screen.
type Options struct {
	Path   string // path of the configuration folder
	Folder Folder
	Store  func(keystore.Profile) keystore.Store
	// Open is the name of the open profile; "" if none is open.
	Open string
	// Doctor is set if the doctor screen can be opened.
	Doctor bool
}

// A stage of the screen.
type stage uint8

const (
	listing  stage = iota
	editing        // a new or an existing profile
	copying        // entering the name of the copy
	deleting       // choosing whether to delete the key too
)

// A Model is the screen.
type Model struct {
	ui.Body
	o     Options
	stage stage
	table *ui.Table
	panes *ui.Panes
	menu  *ui.Menu // what to delete

	config *keystore.Config // as last read; nil before the first read
	names  []string
	wanted string // the profile to select after the next read

	target keystore.Profile // the profile being copied or deleted
	form   *profileform.Form
	isNew  bool // the form is for a new profile
	name   *ui.TextField
	ask    *ui.Form // for the name of a copy
	load   ui.Call[*keystore.Config]
	write  ui.Call[written]

	trouble present.Problem
}

// New returns the screen.
func New(t *ui.Theme, o Options) *Model {
	m := &Model{Body: ui.Body{Theme: t}, o: o, wanted: o.Open, menu: ui.NewMenu(t)}
	m.table = ui.NewTable(t, report.Heads(report.Drawn(report.Profiles(new(keystore.Config), ""), report.Screen), report.Screen)...)
	m.panes = ui.NewPanes(t, m.table)
	return m
}

// Init implements [ui.Screen].
func (m *Model) Init(s ui.Scope) tea.Cmd {
	m.Scope = s
	return m.read()
}

// Resume reads the file again, because another screen may have changed it.
func (m *Model) Resume() tea.Cmd { return m.read() }

// read loads the file in the background, since the folder may be on a slow disk. The list keeps what
// it showed until the result arrives.
func (m *Model) read() tea.Cmd {
	folder := m.o.Folder
	return m.load.Then(m.onLoaded).Ask(m.Scope, func(context.Context) (*keystore.Config, error) { return folder.LoadOrEmpty() })
}

// Update implements [ui.Screen].
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	defer m.layout()
	k, pressed := msg.(tea.KeyPressMsg)
	if pressed {
		m.News = ui.Notice{}
	}
	switch {
	case m.write.Pending():
	case m.stage == editing:
		return m.edit(msg)
	case m.stage == copying:
		return m.copy(msg)
	case pressed && m.stage == deleting:
		return m.menu.Press(k)
	case pressed && !m.load.Pending():
		if follow, moved := m.panes.Update(m.Scope, k); moved {
			return follow
		}
		return m.commands().Press(k)
	}
	return nil
}

// onLoaded shows the file. A file with errors is reported and the last good content stays, so that
// nobody loses their place.
func (m *Model) onLoaded(a ui.Result[*keystore.Config]) tea.Cmd {
	defer m.layout()
	m.trouble = present.Problem{}
	if a.Err == nil {
		m.setConfig(a.Value)
		return nil
	}
	m.trouble = present.Problem{What: "The configuration cannot be read.", Detail: present.Plain(a.Err.Error()), Next: "Correct it, then read it again (r)."}
	return nil
}

// setConfig shows the content of the file.
func (m *Model) setConfig(c *keystore.Config) {
	m.wanted = cmp.Or(m.wanted, m.selected())
	m.config = c
	m.names = slices.Sorted(maps.Keys(c.Profiles))
	columns := report.Drawn(report.Profiles(c, m.o.Open), report.Screen)
	m.table.SetRows(len(m.names), func(i int) []ui.Cell { return report.Cells(columns, c.Profiles[m.names[i]], report.Screen) })
	if i := slices.Index(m.names, m.wanted); i >= 0 {
		m.table.Select(i)
	}
	m.wanted = ""
}

// selected returns the name of the selected profile; "" if there is none. The name and not the
// position identifies a profile, because another program may have changed the file.
func (m *Model) selected() string {
	name, _ := ui.Selected(m.table, m.names)
	return name
}

// profile returns the selected profile, or the zero value.
func (m *Model) profile() keystore.Profile {
	if m.config == nil {
		return keystore.Profile{}
	}
	return m.config.Profiles[m.selected()]
}

// commands are the keys of the list and what they do. Only keys that can do something now are among them; without a
// file that can be read, that is reading it again.
func (m *Model) commands() ui.Commands {
	p := m.profile()
	create := ui.Command{Key: ui.Bind("n", "new"), On: true, Do: func() tea.Cmd { return m.fill(profileform.New(m.Theme), true) }}
	reload := ui.Command{Key: ui.Bind("r", "read again"), On: true, Do: m.read}
	switch {
	case m.config == nil:
		return ui.Commands{reload}
	case p.Name == "":
		return ui.Commands{create, reload}
	}
	cs := ui.Commands{
		{Key: ui.Bind("enter", "open"), On: true, Do: func() tea.Cmd {
			return func() tea.Msg { return nav.Restart{To: nav.Key{Profile: p}} }
		}},
		create,
		{Key: ui.Bind("e", "edit"), On: true, Do: func() tea.Cmd { return m.fill(profileform.Change(m.Theme, p), false) }},
		{Key: ui.Bind("+", "duplicate"), On: true, Do: func() tea.Cmd { return m.askName(p) }},
		{Key: ui.Bind("x", "delete"), On: true, Do: func() tea.Cmd { return m.askDelete(p) }},
		{Key: ui.Bind("*", "make default"), On: true, Do: func() tea.Cmd {
			m.begin(listing)
			return m.change(p.Name, "It is the default profile now.", func(f Folder) error { return f.SetDefault(p.Name) })
		}},
	}
	if m.o.Doctor {
		run := func() tea.Cmd { return nav.Open(nav.Doctor{Profile: p}) }
		cs = append(cs, ui.Command{Key: ui.Bind("i", "doctor"), On: true, Do: run})
	}
	return append(cs, reload)
}

// begin starts a stage without the problem of the one before.
func (m *Model) begin(s stage) { m.stage, m.trouble = s, present.Problem{} }

// Holds implements [ui.Holder]: a profile or a name is being typed.
func (m *Model) Holds() bool { return m.stage == editing || m.stage == copying }

// WhyStay returns why the screen cannot be left now.
func (m *Model) WhyStay() string {
	if m.write.Pending() {
		return "The file is being written."
	}
	return ""
}

// Back returns to the list. What was typed into a form is dropped; the file has not changed.
func (m *Model) Back() bool {
	if m.stage == listing {
		return false
	}
	m.begin(listing)
	m.layout()
	return true
}

// Resize implements [ui.Screen].
func (m *Model) Resize(w, h int) {
	m.Body.Resize(w, h)
	m.panes.Below(below)
	m.panes.Resize(m.W, m.H)
	m.layout()
}

// Typing implements [ui.Screen].
func (m *Model) Typing() bool {
	return !m.write.Pending() && (m.stage == editing && m.form.Typing() || m.stage == copying)
}

// Command implements [ui.Commander].
func (m *Model) Command() []string { return []string{"profile", "list"} }
