// Package keys gets the secret key of a profile: from its keyring, or by asking
// for it, trying it with one harmless question, and keeping it.
package keys

import (
	"context"
	"errors"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/keystore"
	"paydesk/screens/nav"
	"paydesk/ui"
)

// Options of the screen.
type Options struct {
	Profile keystore.Profile
	Store   keystore.Store
	// Check asks the service one harmless question with a key.
	Check func(context.Context, keystore.Profile, keystore.Key) error
}

// A stage of the screen.
type stage uint8

const (
	opening  stage = iota // the store is asked
	entering              // the person is asked
	checking              // the service is asked
	storing               // the store is told
	unkept                // the store would not keep it
)

// patience is how long a person may take to unlock their keyring.
const patience = 60 * time.Second

// A Model is the screen.
type Model struct {
	theme *ui.Theme
	o     Options
	scope ui.Scope
	stage stage
	keys  keyMap
	form  *ui.Form
	field *ui.TextField

	get   ui.Call[keystore.Key]
	check ui.Call[keystore.Key]
	set   ui.Call[keystore.Key]

	key     keystore.Key // the one that was entered
	trouble []string
	// unsure is set when the check could not be made, so that the key may be
	// right.
	unsure bool
	w, h   int
}

var _ ui.Screen = (*Model)(nil)

// New gets the key of a profile.
func New(t *ui.Theme, o Options) *Model {
	m := &Model{theme: t, o: o, keys: newKeyMap(o.Store.Name())}
	m.field = ui.NewTextField(t, "Secret key", "From the merchant dashboard: settings, API keys", ui.Required(), ui.Masked(), ui.Limit(512), ui.Checked(malformed))
	m.form = ui.NewForm(t, m.field)
	return m
}

// malformed says what is wrong with the form of a key, never quoting it.
func malformed(s string) string {
	if _, err := keystore.ParseKey(s); err != nil {
		return err.Error()
	}
	return ""
}

// Init implements [ui.Screen].
func (m *Model) Init(s ui.Scope) tea.Cmd {
	m.scope = s
	return m.open()
}

func (m *Model) open() tea.Cmd {
	m.stage, m.trouble = opening, nil
	store, name := m.o.Store, m.o.Profile.Name
	return m.get.Ask(m.scope, func(ctx context.Context) (keystore.Key, error) {
		ctx, stop := context.WithTimeout(ctx, patience)
		defer stop()
		return store.Get(ctx, name)
	})
}

// Update implements [ui.Screen].
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	if a, ok := m.get.Take(msg); ok {
		return m.opened(a)
	}
	if a, ok := m.check.Take(msg); ok {
		return m.checked(a)
	}
	if a, ok := m.set.Take(msg); ok {
		return m.stored(a)
	}
	switch m.stage {
	case entering:
		return m.enter(msg)
	case unkept:
		return m.decide(msg)
	}
	return nil
}

func (m *Model) opened(a ui.Answer[keystore.Key]) tea.Cmd {
	if a.Err == nil {
		return m.connect(a.Value, m.o.Store.Name())
	}
	m.stage = entering
	if !errors.Is(a.Err, keystore.ErrNotFound) {
		m.trouble = []string{a.Err.Error(), "Enter the key, or press " + m.keys.again.Help().Key + " to ask the " + m.o.Store.Name() + " again."}
	}
	return nil
}

func (m *Model) enter(msg tea.Msg) tea.Cmd {
	if k, ok := msg.(tea.KeyPressMsg); ok {
		switch {
		case key.Matches(k, m.keys.again):
			return m.open()
		case key.Matches(k, m.keys.unchecked) && m.unsure:
			return m.keep(m.key)
		}
	}
	if m.form.Update(msg) != ui.Submitted {
		return nil
	}
	entered, err := keystore.ParseKey(m.field.Value())
	if err != nil {
		m.form.Complain(m.field, err.Error())
		return nil
	}
	m.stage, m.key, m.trouble, m.unsure = checking, entered, nil, false
	profile, check := m.o.Profile, m.o.Check
	return m.check.Ask(m.scope, func(ctx context.Context) (keystore.Key, error) {
		return entered, check(ctx, profile, entered)
	})
}

func (m *Model) checked(a ui.Answer[keystore.Key]) tea.Cmd {
	if a.Err == nil {
		return m.keep(a.Value)
	}
	m.stage = entering
	var no *api.Refusal
	m.unsure = !errors.As(a.Err, &no)
	m.trouble = words(a.Err, m.unsure, m.keys)
	return nil
}

// keep stores the key.
func (m *Model) keep(k keystore.Key) tea.Cmd {
	m.stage = storing
	store, name := m.o.Store, m.o.Profile.Name
	return m.set.Ask(m.scope, func(ctx context.Context) (keystore.Key, error) {
		ctx, stop := context.WithTimeout(ctx, patience)
		defer stop()
		return k, store.Set(ctx, name, k)
	})
}

func (m *Model) stored(a ui.Answer[keystore.Key]) tea.Cmd {
	if a.Err == nil {
		return m.connect(a.Value, m.o.Store.Name())
	}
	m.stage = unkept
	m.trouble = []string{"The key was not kept: " + a.Err.Error()}
	return nil
}

func (m *Model) decide(msg tea.Msg) tea.Cmd {
	k, ok := msg.(tea.KeyPressMsg)
	switch {
	case !ok:
	case key.Matches(k, m.keys.retry):
		return m.keep(m.key)
	case key.Matches(k, m.keys.once):
		return m.connect(m.key, "this run")
	}
	return nil
}

// connect goes on with a key; the entry is wiped.
func (m *Model) connect(k keystore.Key, source string) tea.Cmd {
	m.form.Wipe()
	m.key = keystore.Key{}
	p := m.o.Profile
	return func() tea.Msg { return nav.Connect{Profile: p, Key: k, Source: source} }
}

// Back ends a wait, or leaves the decision for the entry.
func (m *Model) Back() bool {
	switch m.stage {
	case opening:
		m.get.Drop()
		m.trouble = []string{"The " + m.o.Store.Name() + " was not waited for. Enter the key, or press " + m.keys.again.Help().Key + " to ask it again."}
	case checking:
		m.check.Drop()
	case storing:
		m.set.Drop()
		m.stage, m.trouble = unkept, []string{"The " + m.o.Store.Name() + " was not waited for; whether it keeps the key is not known."}
		return true
	case entering:
		return false
	}
	m.stage = entering
	return true
}

// Resize implements [ui.Screen].
func (m *Model) Resize(w, h int) { m.w, m.h = w, h }

// Title implements [ui.Screen].
func (m *Model) Title() string { return "Secret key" }

// Typing implements [ui.Screen].
func (m *Model) Typing() bool { return m.stage == entering }

// Keys implements [ui.Screen].
func (m *Model) Keys() []key.Binding {
	switch m.stage {
	case entering:
		k := []key.Binding{ui.Submit, m.keys.again}
		if m.unsure {
			k = append(k, m.keys.unchecked)
		}
		return k
	case unkept:
		return []key.Binding{m.keys.retry, m.keys.once, ui.Back}
	}
	return []key.Binding{m.keys.cancel}
}
