// Package setup is the first screen if there is no configuration. It offers the demo and a form
// for the first profile, and shows where the configuration file belongs.
package setup

import (
	"context"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/keystore"
	"paydesk/screens/nav"
	"paydesk/screens/profileform"
	"paydesk/ui"
)

// Options configure the screen.
type Options struct {
	Path   string // path of the configuration file
	Create func(keystore.Profile) error
	// Demo starts the embedded sandbox; nil if there is no demo.
	Demo func() (keystore.Profile, keystore.Key, error)
}

// A stage of the screen.
type stage uint8

const (
	choosing stage = iota
	editing
	saving
	starting // the demo
)

// demoReady is the demo after its start.
type demoReady struct {
	profile keystore.Profile
	key     keystore.Key
}

// A Model is the screen.
type Model struct {
	theme   *ui.Theme
	o       Options
	scope   ui.Scope
	stage   stage
	keys    keyMap
	form    *profileform.Form
	save    ui.Call[keystore.Profile]
	demo    ui.Call[demoReady]
	trouble string
	w, h    int
}

var _ ui.Screen = (*Model)(nil)

// New returns the screen.
func New(t *ui.Theme, o Options) *Model {
	return &Model{theme: t, o: o, keys: newKeyMap(o.Demo != nil), form: profileform.New(t)}
}

// Init implements [ui.Screen].
func (m *Model) Init(s ui.Scope) tea.Cmd {
	m.scope = s
	return nil
}

// Update implements [ui.Screen].
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	if a, ok := m.save.Receive(msg); ok {
		return m.onSaved(a)
	}
	if a, ok := m.demo.Receive(msg); ok {
		return m.onStarted(a)
	}
	switch m.stage {
	case choosing:
		return m.choose(msg)
	case editing:
		return m.edit(msg)
	}
	return nil
}

func (m *Model) edit(msg tea.Msg) tea.Cmd {
	if m.form.Update(msg) == ui.Submitted {
		return m.submit()
	}
	return nil
}

func (m *Model) choose(msg tea.Msg) tea.Cmd {
	k, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return nil
	}
	switch {
	case key.Matches(k, m.keys.demo):
		m.stage, m.trouble = starting, ""
		demo := m.o.Demo
		return m.demo.Ask(m.scope, func(context.Context) (demoReady, error) {
			p, k, err := demo()
			return demoReady{p, k}, err
		})
	case key.Matches(k, m.keys.profile):
		m.stage, m.trouble = editing, ""
	}
	return nil
}

func (m *Model) submit() tea.Cmd {
	m.stage, m.trouble = saving, ""
	p, create := m.form.Profile(), m.o.Create
	return m.save.Ask(m.scope, func(context.Context) (keystore.Profile, error) { return p, create(p) })
}

func (m *Model) onSaved(a ui.Result[keystore.Profile]) tea.Cmd {
	if a.Err != nil {
		m.stage, m.trouble = editing, "The profile was not written: "+errorText(a.Err)
		return nil
	}
	return func() tea.Msg { return nav.Restart{To: nav.Key{Profile: a.Value}} }
}

func (m *Model) onStarted(a ui.Result[demoReady]) tea.Cmd {
	if a.Err != nil {
		m.stage, m.trouble = choosing, "The demo did not start: "+errorText(a.Err)
		return nil
	}
	return func() tea.Msg { return nav.Connect{Profile: a.Value.profile, Key: a.Value.key, Source: "demo"} }
}

// errorText returns the message of an error in a form that is safe to show: it may name a
// path.
func errorText(err error) string { return api.Clean(err.Error()).Line(0) }

// WhyStay returns why the screen cannot be left now.
func (m *Model) WhyStay() string {
	if m.stage == saving {
		return "The profile is being written."
	}
	return ""
}

// Back returns from the form to the options; what was typed stays.
func (m *Model) Back() bool {
	switch m.stage {
	case choosing:
		return false
	case starting:
		m.demo.Drop()
	}
	m.stage, m.trouble = choosing, ""
	return true
}

// Resize implements [ui.Screen].
func (m *Model) Resize(w, h int) { m.w, m.h = w, h }

// Title implements [ui.Screen].
func (m *Model) Title() string {
	if m.stage == editing || m.stage == saving {
		return "New profile"
	}
	return "Welcome"
}

// Typing implements [ui.Screen].
func (m *Model) Typing() bool { return m.stage == editing && m.form.Typing() }

// Keys implements [ui.Screen].
func (m *Model) Keys() []key.Binding {
	switch m.stage {
	case choosing:
		return []key.Binding{m.keys.demo, m.keys.profile}
	case editing:
		return append(m.form.Keys(), ui.Back) // the frame shows no esc on its first screen
	}
	return nil
}

// Explain returns the text of the help page.
func (m *Model) Explain() []string {
	return []string{
		"A profile names a service and an environment. Its secret key is never in the file: it is in the keyring or another source.",
		"You declare each profile test or live. Every screen shows which, and live makes you type the amount before money moves.",
	}
}

type keyMap struct{ demo, profile key.Binding }

func newKeyMap(demo bool) keyMap {
	k := keyMap{
		demo:    ui.Bind("d", "demo"),
		profile: ui.Bind("n", "new profile"),
	}
	k.demo.SetEnabled(demo)
	return k
}
