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
	"paydesk/screens/show"
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
	deciding              // the store did not keep it
)

// patience is how long a person may take to unlock their keyring.
const patience = 60 * time.Second

// thisRun is the header's word for a key that is kept nowhere.
const thisRun = "this run"

// fromEnv reports whether the profile takes its key from the environment.
func (o Options) fromEnv() bool { return o.Profile.Source == "env" }

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

	key     keystore.Key // the one that was entered, until it is used
	trouble show.Trouble
	// unsure is set when the service did not judge the key, so that it may be right.
	unsure bool
	w, h   int
}

var _ ui.Screen = (*Model)(nil)

// New gets the key of a profile.
func New(t *ui.Theme, o Options) *Model {
	m := &Model{theme: t, o: o, keys: newKeyMap(o)}
	m.field = ui.NewTextField(t, "Secret key", "from the merchant dashboard: settings, API keys", ui.Required(), ui.Masked(), ui.Limit(512), ui.Checked(malformed))
	m.form = ui.NewForm(t, m.field)
	return m
}

// malformed says what is wrong with the form of a key, never quoting it.
func malformed(s string) string {
	if _, err := keystore.ParseKey(s); err != nil {
		return words(err)
	}
	return ""
}

// Init implements [ui.Screen].
func (m *Model) Init(s ui.Scope) tea.Cmd {
	m.scope = s
	return m.open(false)
}

// open asks the store; it waits longer when a person asked for that, who can answer
// the keyring's prompt.
func (m *Model) open(patiently bool) tea.Cmd {
	m.stage, m.trouble = opening, show.Trouble{}
	store, name := m.o.Store, m.o.Profile.Name
	return m.get.Ask(m.scope, func(ctx context.Context) (keystore.Key, error) {
		ctx, stop := context.WithTimeout(ctx, patience)
		defer stop()
		if patiently {
			ctx = keystore.Patiently(ctx)
		}
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
	case deciding:
		return m.decide(msg)
	}
	return nil
}

func (m *Model) opened(a ui.Answer[keystore.Key]) tea.Cmd {
	if a.Err == nil {
		return m.connect(a.Value, m.o.Store.Name())
	}
	m.stage = entering
	if errors.Is(a.Err, keystore.ErrNotFound) {
		return nil
	}
	m.enterAnyway(words(a.Err))
	return nil
}

// enterAnyway says what keeps the store from having the key, and that it can be entered.
func (m *Model) enterAnyway(why string) {
	m.trouble = show.Trouble{
		What: why,
		Next: "Enter the key, or ask the " + m.o.Store.Name() + " again (" + m.keys.again.Help().Key +
			"). A key that cannot be kept there can be used for this run only.",
	}
}

// words are an error's, as a sentence.
func words(err error) string { return show.Sentence(api.Clean(err.Error()).Line(0)) }

func (m *Model) enter(msg tea.Msg) tea.Cmd {
	if k, ok := msg.(tea.KeyPressMsg); ok {
		switch {
		case key.Matches(k, m.keys.again) && !m.o.fromEnv():
			return m.open(true)
		case key.Matches(k, m.keys.unchecked) && m.unsure:
			if entered, ok := m.entered(); ok {
				return m.keep(entered)
			}
			return nil
		}
	}
	if m.form.Update(msg) != ui.Submitted {
		return nil
	}
	entered, ok := m.entered()
	if !ok {
		return nil
	}
	m.stage, m.trouble, m.unsure = checking, show.Trouble{}, false
	profile, check := m.o.Profile, m.o.Check
	return m.check.Ask(m.scope, func(ctx context.Context) (keystore.Key, error) {
		return entered, check(ctx, profile, entered)
	})
}

// entered is the key in the field; one that is none is said to be so there.
func (m *Model) entered() (keystore.Key, bool) {
	k, err := keystore.ParseKey(m.field.Value())
	if err != nil {
		m.form.Complain(m.field, words(err))
	}
	return k, err == nil
}

// checked keeps a key that was taken. Only HTTP 401 and 403 judge the key; any other
// trouble leaves it open whether it is right.
func (m *Model) checked(a ui.Answer[keystore.Key]) tea.Cmd {
	if a.Err == nil {
		return m.keep(a.Value)
	}
	m.stage, m.trouble = entering, show.Error(a.Err, show.Reading)
	var no *api.Refusal
	if errors.As(a.Err, &no) && no.HTTP == 404 {
		m.trouble.What = "There is no list of transactions at the list URL."
	}
	if m.unsure = !errors.As(a.Err, &no) || no.HTTP != 401 && no.HTTP != 403; m.unsure {
		m.trouble.Next = "So nobody knows yet whether the key is right. Try again (enter), or keep it unchecked (" + m.keys.unchecked.Help().Key + ")."
	}
	return nil
}

// keep stores the key, unless its profile takes it from the environment: then it lasts
// for this run.
func (m *Model) keep(k keystore.Key) tea.Cmd {
	if m.o.fromEnv() {
		return m.connect(k, thisRun)
	}
	m.stage, m.key = storing, k
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
	m.unkept(words(a.Err))
	return nil
}

// unkept says that the key is not kept, and asks what to do with it.
func (m *Model) unkept(why string) {
	m.stage = deciding
	m.trouble = show.Trouble{
		What: why, Done: "The key is not kept.",
		Next: "It can be used for this run only: then it is in the memory of this program, written nowhere, and asked for again at the next start.",
	}
}

func (m *Model) decide(msg tea.Msg) tea.Cmd {
	k, ok := msg.(tea.KeyPressMsg)
	switch {
	case !ok:
	case key.Matches(k, m.keys.retry):
		return m.keep(m.key)
	case key.Matches(k, m.keys.once):
		return m.connect(m.key, thisRun)
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

// Back ends a wait, or leaves the decision for the entry; what was entered stays.
func (m *Model) Back() bool {
	switch m.stage {
	case entering:
		return false
	case opening:
		m.get.Drop()
		m.trouble = show.Trouble{
			What: "The " + m.o.Store.Name() + " was not waited for.",
			Next: "Enter the key, or ask the " + m.o.Store.Name() + " again (" + m.keys.again.Help().Key + ").",
		}
	case checking:
		m.check.Drop()
	case storing:
		m.set.Drop()
		m.unkept("The " + m.o.Store.Name() + " was not waited for; it may still keep the key.")
		m.trouble.Done = ""
		return true
	case deciding:
		m.key = keystore.Key{}
		m.enterAnyway(m.trouble.What)
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
		k := m.keys
		k.unchecked.SetEnabled(m.unsure)
		k.again.SetEnabled(!m.o.fromEnv())
		return []key.Binding{k.enter, k.unchecked, k.again}
	case deciding:
		return []key.Binding{m.keys.once, m.keys.retry, ui.Back}
	}
	return []key.Binding{m.keys.cancel}
}

// Explain is what the help page says besides the keys.
func (m *Model) Explain() []string {
	return []string{
		"A new key is tried with one question that changes nothing: the first page of the list. Only when the service takes it does it replace what the " + m.o.Store.Name() + " has.",
		"It is never written to a file, shown, copied or put into an argument.",
	}
}
