// Package setup explains the ways on when there is no configuration: the demo,
// a profile made right here, and where the file lies.
package setup

import (
	"context"
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/keystore"
	"paydesk/screens/nav"
	"paydesk/screens/show"
	"paydesk/ui"
)

// Options of the screen.
type Options struct {
	Path   string // where the configuration lies
	Create func(keystore.Profile) error
	// Demo starts the embedded sandbox; nil leaves the demo out.
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

// opened is the demo, ready to be connected to.
type opened struct {
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
	form    *ui.Form
	name    *ui.TextField
	env     *ui.ChoiceField
	base    *ui.TextField
	list    *ui.TextField
	source  *ui.ChoiceField
	save    ui.Call[keystore.Profile]
	demo    ui.Call[opened]
	trouble string
	w, h    int
}

var environments = []string{string(keystore.Test), string(keystore.Live)}

var _ ui.Screen = (*Model)(nil)

// New explains the ways on.
func New(t *ui.Theme, o Options) *Model {
	m := &Model{theme: t, o: o, keys: newKeyMap(o.Demo != nil)}
	m.name = ui.NewTextField(t, "Name", "what you call it: small letters, digits, - and _", ui.Required(), ui.Limit(32), ui.Initial(environments[0]), ui.Checked(m.part("name")))
	m.env = ui.NewChoiceField(t, "Environment", "what its keys move: play money or real money", environments...)
	m.base = ui.NewTextField(t, "Base URL", "where payments are made: https, or http on this machine", ui.Required(), ui.Limit(512), ui.Checked(m.part("base_url")))
	m.list = ui.NewTextField(t, "List URL", "where the transactions are listed; it may be another host", ui.Required(), ui.Limit(512), ui.Checked(m.part("list_url")))
	m.source = ui.NewChoiceField(t, "Secret key", "kept in the keyring, or taken from PAYDESK_SECRET_KEY", "keyring", "env")
	m.form = ui.NewForm(t, m.env, m.name, m.base, m.list, m.source)
	m.form.Finishes("create")
	return m
}

// profile is what the form says so far, defaults filled in.
func (m *Model) profile() keystore.Profile {
	return keystore.Profile{
		Name: m.name.Value(), Environment: keystore.Environment(m.env.Value()),
		BaseURL: m.base.Value(), ListURL: m.list.Value(), Source: m.source.Value(),
	}.WithDefaults()
}

// part checks one part of the profile; the words stand at its field.
func (m *Model) part(name string) func(string) string {
	return func(string) string { return show.Sentence(m.profile().Check()[name]) }
}

// Init implements [ui.Screen].
func (m *Model) Init(s ui.Scope) tea.Cmd {
	m.scope = s
	return nil
}

// Update implements [ui.Screen].
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	if a, ok := m.save.Take(msg); ok {
		return m.saved(a)
	}
	if a, ok := m.demo.Take(msg); ok {
		return m.started(a)
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
	verdict := m.form.Update(msg)
	if name := m.name.Value(); name != m.env.Value() && slices.Contains(environments, name) {
		m.name.SetValue(m.env.Value()) // a profile that calls itself by its environment goes on doing so
	}
	if verdict == ui.Submitted {
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
		return m.demo.Ask(m.scope, func(context.Context) (opened, error) {
			p, k, err := demo()
			return opened{p, k}, err
		})
	case key.Matches(k, m.keys.profile):
		m.stage, m.trouble = editing, ""
	}
	return nil
}

func (m *Model) submit() tea.Cmd {
	m.stage, m.trouble = saving, ""
	p, create := m.profile(), m.o.Create
	return m.save.Ask(m.scope, func(context.Context) (keystore.Profile, error) { return p, create(p) })
}

func (m *Model) saved(a ui.Answer[keystore.Profile]) tea.Cmd {
	if a.Err != nil {
		m.stage, m.trouble = editing, "The profile was not written: "+words(a.Err)
		return nil
	}
	return func() tea.Msg { return nav.Restart{To: nav.Key{Profile: a.Value}} }
}

func (m *Model) started(a ui.Answer[opened]) tea.Cmd {
	if a.Err != nil {
		m.stage, m.trouble = choosing, "The demo did not start: "+words(a.Err)
		return nil
	}
	return func() tea.Msg { return nav.Connect{Profile: a.Value.profile, Key: a.Value.key, Source: "demo"} }
}

// words are an error's, made safe: it may name a path.
func words(err error) string { return api.Clean(err.Error()).Line(0) }

// Hold says why the screen cannot be left now.
func (m *Model) Hold() string {
	if m.stage == saving {
		return "The profile is being written."
	}
	return ""
}

// Back goes from the form to the choice; what was typed stays.
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
		return append(m.form.Keys(), ui.Back) // the chrome has none on its first screen
	}
	return nil
}

// Explain is what the help page says besides the keys.
func (m *Model) Explain() []string {
	return []string{
		"A profile names a service and an environment. Its secret key is never in the file: the keyring has it, or the environment variable PAYDESK_SECRET_KEY.",
		"test and live are what you declare; the word stands on every screen, and live asks for the amount to be typed before money moves.",
	}
}
