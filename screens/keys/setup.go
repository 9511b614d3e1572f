package keys

import (
	"context"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/keystore"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/ui"
)

// SetupOptions configure the screen.
type SetupOptions struct {
	Folder keystore.Folder // of the configuration
	// Served reports whether a sandbox serves an address on this machine; nil where none is looked for.
	Served func(ctx context.Context, address string) bool
	// Keyring reports whether there is a keyring for the key; nil where there is.
	Keyring func(context.Context) bool
	// Demo starts the embedded sandbox; nil if there is no demo.
	Demo func() (keystore.Profile, keystore.Key, error)
}

var keyNew = ui.Bind("n", "new profile")

// A Setup is the first screen on a host without a configuration. It offers the demo and a form
// for the first profile, and shows where its file belongs.
type Setup struct {
	ui.Staged
	o       SetupOptions
	menu    *ui.Menu
	editing bool                 // the form, not the menu
	form    *profileForm         // of the environment that was chosen last; nil before that
	keyring bool                 // there is one, as far as is known
	looking ui.Call[bool]        // for it
	next    keystore.Environment // of the form that is opened once that has ended
	call    ui.Call[tea.Msg]     // looks at the address of the form, or starts the demo
	trouble present.Problem
}

// NewSetup returns the screen.
func NewSetup(t *ui.Theme, o SetupOptions) *Setup {
	m := &Setup{Staged: ui.Staged{Body: ui.Body{Theme: t}}, o: o, menu: ui.NewMenu(t), keyring: true}
	var items []ui.MenuItem
	if o.Demo != nil {
		items = append(items, ui.MenuItem{Name: "Try the demo", About: "a sandbox inside this program, with play money: no account, no network, nothing is saved", Do: m.startDemo})
	}
	m.menu.Set(append(items,
		ui.MenuItem{Name: "Create a test profile", About: "for a service that gave you a secret key: its address, the key, and where to keep it", Key: keyNew, Do: m.edit(keystore.Test)},
		ui.MenuItem{Name: "Create a live profile", About: "for real money: the same questions", Do: m.edit(keystore.Live)})...)
	return m
}

// Init implements [ui.Screen].
func (m *Setup) Init(s ui.Scope) tea.Cmd {
	m.Scope = s
	if m.o.Keyring == nil {
		return nil
	}
	keyring := m.o.Keyring
	return m.looking.Then(func(a ui.Result[bool]) tea.Cmd {
		m.keyring = a.Err == nil && a.Value
		if m.next == "" {
			return nil
		}
		return m.edit(m.next)()
	}).Ask(m.Scope, func(ctx context.Context) (bool, error) {
		ctx, stop := context.WithTimeout(ctx, keyringPatience)
		defer stop()
		return keyring(ctx), nil
	})
}

// keyringPatience limits how long a keyring has to show itself: a bus may hang.
const keyringPatience = 2 * time.Second

// startDemo opens the sandbox within.
func (m *Setup) startDemo() tea.Cmd {
	m.trouble = present.Problem{}
	demo := m.o.Demo
	return m.call.Then(m.receive).Ask(m.Scope, func(context.Context) (tea.Msg, error) {
		p, k, err := demo()
		return nav.Connect{Profile: p, Key: k, Source: "demo"}, err
	})
}

// edit opens the form for a profile. What was typed for the other environment is not for this one.
func (m *Setup) edit(e keystore.Environment) func() tea.Cmd {
	return func() tea.Cmd {
		if m.looking.Pending() { // it is opened then
			m.next = e
			return nil
		}
		if m.form == nil || m.form.Profile().Environment != e {
			m.form = firstProfile(m.Theme, e, m.keyring)
		}
		m.editing, m.trouble = true, present.Problem{}
		return nil
	}
}

// Update implements [ui.Screen].
func (m *Setup) Update(msg tea.Msg) tea.Cmd {
	k, pressed := msg.(tea.KeyPressMsg)
	switch {
	case m.call.Pending():
	case m.editing:
		if m.form.Update(msg) == ui.Submitted {
			return m.submit()
		}
	case pressed:
		return m.menu.Press(k)
	}
	return nil
}

// submit continues with the key of the profile, over the form, so that esc leads back to what was typed. Whether a
// sandbox serves the address is found out before: the key is then one that it printed.
func (m *Setup) submit() tea.Cmd {
	p, served, without := m.form.Profile(), m.o.Served, !m.keyring
	if p.Environment != keystore.Test {
		served = nil
	}
	return m.call.Then(m.receive).Ask(m.Scope, func(ctx context.Context) (tea.Msg, error) {
		return nav.Push{To: nav.Key{Profile: p, First: true, NoKeyring: without, Served: served != nil && served(ctx, p.BaseURL)}}, nil
	})
}

// receive sends on what opens the key of the profile or the demo, whose key is made up and needs no
// verification.
func (m *Setup) receive(a ui.Result[tea.Msg]) tea.Cmd {
	if a.Err == nil {
		return func() tea.Msg { return a.Value }
	}
	m.trouble = present.Problem{What: "The demo did not start: " + present.Plain(a.Err.Error())}
	return nil
}

// Back returns from the form to the options; what was typed stays.
func (m *Setup) Back() bool {
	if !m.editing && !m.call.Pending() {
		return false
	}
	if m.editing && m.call.Pending() {
		m.call.Drop()
		return true
	}
	m.call.Drop()
	m.editing, m.trouble = false, present.Problem{}
	return true
}

// Title implements [ui.Screen].
func (m *Setup) Title() string {
	if m.editing {
		return "New profile"
	}
	return "Welcome"
}

// Typing implements [ui.Screen]. While the address is looked at, letters are not text.
func (m *Setup) Typing() bool { return m.editing && !m.call.Pending() && m.form.Typing() }

// Keys implements [ui.Screen].
func (m *Setup) Keys() []key.Binding {
	switch {
	case m.call.Pending():
		return nil
	case m.editing:
		return append(m.form.Keys(), ui.Back) // the frame shows no esc on its first screen
	}
	return m.menu.Keys()
}

// Explain returns the text of the help page.
func (m *Setup) Explain() []string {
	return []string{
		"This makes the first profile, for your own service, or opens the sandbox, which needs neither a service nor a key.",
		"A profile names a service and an environment. Its secret key is never in the configuration: it is in the keyring or another source.",
		"A profile is test or live. Every screen shows which, and live makes you type the amount before money moves.",
	}
}

// View implements [ui.Screen]. In a low window the empty lines go first, never an option.
func (m *Setup) View() (string, *tea.Cursor) {
	if m.editing {
		return m.Place(m.viewForm())
	}
	w := m.W
	lines := present.Rows(0, m.Theme.Rule("There is no configuration yet", "", w))
	lines = append(append(lines, present.Rows(1, "")...), present.Rows(0, m.menu.Lines(w)...)...)
	lines = append(append(lines, present.Rows(1, "")...), present.Rows(0, m.Theme.Rule("Or write the file yourself", "", w))...)
	lines = append(lines, present.Rows(0, ui.Wrap(present.PathEnd(m.o.Folder.Profile(string(keystore.Test)), 2*w), w)...)...)
	lines = append(lines, present.Rows(0, m.Theme.MutedLines("It is a TOML file: see paydesk help configuration.", w)...)...)
	if m.call.Pending() {
		lines = append(lines, present.Rows(0, "", m.Theme.Mark(ui.ToneWait, "Starting the demo…"))...)
	}
	lines = append(lines, present.Rows(0, m.trouble.Below(m.Theme, w)...)...)
	shown := present.FitHeight(m.H, lines)
	return m.Place(ui.Lines(m.W, m.H, append(make([]string, max(m.H-len(shown), 0)/3), shown...)...), nil)
}

// viewForm shows the form below the path of the file that it is saved in.
func (m *Setup) viewForm() (string, *tea.Cursor) {
	const goesInto = "Will be saved in "
	head := []string{
		m.Theme.Rule("New profile", "next: key, then a test", m.W),
		profileHeading,
		m.Theme.Muted.Render(goesInto + m.path(m.form.Profile().Environment, len(goesInto))), "",
	}
	if !m.call.Pending() {
		return viewProfile(m.Body, m.form.Form, head, m.trouble.Below(m.Theme, m.W))
	}
	view, _ := viewProfile(m.Body, m.form.Form, head, []string{"", m.Theme.Mark(ui.ToneWait, "Looking at the address…")})
	return view, nil
}

// path returns the path of the first profile of an environment, which it is named after. A long path is shortened at its
// beginning, because its end tells more; taken is the width before it on its line.
func (m *Setup) path(e keystore.Environment, taken int) string {
	return present.PathEnd(m.o.Folder.Profile(string(e)), max(8, m.W-taken))
}

// Command implements [ui.Commander]: where the profile that is missing will be.
func (m *Setup) Command() []string { return []string{"config", "path"} }
