// Package setup explains the ways on when there is no configuration: the demo,
// a profile made right here, and where the file lies.
package setup

import (
	"context"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/keystore"
	"paydesk/screens/nav"
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

var _ ui.Screen = (*Model)(nil)

// New explains the ways on.
func New(t *ui.Theme, o Options) *Model {
	m := &Model{theme: t, o: o, keys: newKeyMap(o.Demo != nil)}
	m.name = ui.NewTextField(t, "Name", "What you call it: small letters, digits, - and _", ui.Required(), ui.Limit(32), ui.Initial("test"), ui.Checked(m.part("name")))
	m.env = ui.NewChoiceField(t, "Environment", "What the keys of this profile move: play money or real money", "test", "live")
	m.base = ui.NewTextField(t, "Base URL", "Where payments are made: https, or http on this machine", ui.Required(), ui.Limit(512), ui.Checked(m.part("base_url")))
	m.list = ui.NewTextField(t, "List URL", "Where the transactions are listed; it may be another host", ui.Required(), ui.Limit(512), ui.Checked(m.part("list_url")))
	m.source = ui.NewChoiceField(t, "Secret key", "Kept in the keyring of this system, or taken from PAYDESK_SECRET_KEY", "keyring", "env")
	m.form = ui.NewForm(t, m.name, m.env, m.base, m.list, m.source)
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
	return func(string) string { return m.profile().Check()[name] }
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
		if m.form.Update(msg) == ui.Submitted {
			return m.submit()
		}
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
		return m.demo.Ask(m.scope, func(context.Context) (opened, error) {
			p, k, err := m.o.Demo()
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
		m.stage, m.trouble = editing, a.Err.Error()
		return nil
	}
	return func() tea.Msg { return nav.Restart{To: nav.Key{Profile: a.Value}} }
}

func (m *Model) started(a ui.Answer[opened]) tea.Cmd {
	if a.Err != nil {
		m.stage, m.trouble = choosing, a.Err.Error()
		return nil
	}
	return func() tea.Msg { return nav.Connect{Profile: a.Value.profile, Key: a.Value.key, Source: "demo"} }
}

// Back goes from the form to the choice; what was typed stays.
func (m *Model) Back() bool {
	if m.stage != editing {
		return false
	}
	m.stage, m.trouble = choosing, ""
	return true
}

// Resize implements [ui.Screen].
func (m *Model) Resize(w, h int) { m.w, m.h = w, h }

// Title implements [ui.Screen].
func (m *Model) Title() string { return "Welcome" }

// Typing implements [ui.Screen].
func (m *Model) Typing() bool { return m.stage == editing && m.form.Typing() }

// Keys implements [ui.Screen].
func (m *Model) Keys() []key.Binding {
	switch m.stage {
	case choosing:
		return []key.Binding{m.keys.demo, m.keys.profile}
	case editing:
		return append(m.form.Keys(), ui.Back)
	}
	return nil
}
