package keys

import (
	"context"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/keystore"
	"paydesk/screens/detail"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/ui"
)

// SetupOptions configure the screen.
type SetupOptions struct {
	Folder keystore.Folder // of the configuration
	// Writable returns why no profile can be written there; nil where that is not looked at.
	Writable func() error
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
	o        SetupOptions
	menu     *ui.Menu
	form     *profileForm         // of the environment that was chosen last; nil before that
	keyring  bool                 // there is one, as far as is known
	looking  ui.Call[bool]        // for it
	next     keystore.Environment // of the form that is opened once that has ended
	starting ui.Call[nav.Connect] // the demo
	trouble  present.Problem
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
	return findKeyring(s, &m.looking, m.o.Keyring, func(there bool) tea.Cmd {
		if m.keyring = there; m.next == "" {
			return nil
		}
		return m.edit(m.next)()
	})
}

// findKeyring finds out whether there is a keyring, and tells it; where look is nil nothing is told.
func findKeyring(s ui.Scope, call *ui.Call[bool], look func(context.Context) bool, tell func(there bool) tea.Cmd) tea.Cmd {
	if look == nil {
		return nil
	}
	return call.Then(func(a ui.Result[bool]) tea.Cmd { return tell(a.Err == nil && a.Value) }).Ask(s, func(ctx context.Context) (bool, error) {
		ctx, stop := context.WithTimeout(ctx, keyringPatience)
		defer stop()
		return look(ctx), nil
	})
}

// keyringPatience limits how long a keyring has to show itself: a bus may hang.
const keyringPatience = 2 * time.Second

// startDemo opens the sandbox within. Its key is made up, and needs no verification.
func (m *Setup) startDemo() tea.Cmd {
	m.trouble = present.Problem{}
	demo := m.o.Demo
	return m.starting.Then(func(a ui.Result[nav.Connect]) tea.Cmd {
		if a.Err != nil {
			m.trouble = present.Problem{What: "The demo did not start: " + present.Plain(a.Err.Error())}
			return nil
		}
		return func() tea.Msg { return a.Value }
	}).Ask(m.Scope, func(context.Context) (nav.Connect, error) {
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
		m.trouble = present.Problem{}
		return m.open(m.form)
	}
}

// A firstForm is the form of the first profile, over the options. It stays below the screen of its key, so that esc leads
// back to what was typed.
type firstForm struct {
	detail.Dialog
	stage   ui.Staged // as large as that of the options
	looking ui.Call[firstLook]
	trouble present.Problem // why the profile cannot be written
}

// A firstLook is what is looked at before the key is asked for.
type firstLook struct {
	served     bool  // a sandbox serves the address: the key is one that it printed
	unwritable error // why the profile cannot be written
}

// open opens the form, below the path of the file that it is saved in. A long path is shortened at its beginning, because
// its end tells more.
func (m *Setup) open(f *profileForm) tea.Cmd {
	const goesInto = "Will be saved in "
	d := &firstForm{}
	d.Dialog = detail.NewDialog(m.Theme, detail.Asks{
		Title: "New profile", Help: m.Explain(), Beside: f.explain(m.Theme), Under: func(w int) []string { return d.trouble.Below(m.Theme, w) },
		Head: func(w int) []string {
			path := present.PathEnd(m.o.Folder.Profile(f.Profile().Name), max(8, w-len(goesInto)))
			return []string{m.Theme.Rule("New profile", "next: key, then a test", w), profileHeading, m.Theme.Muted.Render(goesInto + path), ""}
		},
		Update: func(msg tea.Msg) ui.FormResult {
			before := f.Profile()
			result := f.Update(msg)
			if f.Profile() != before { // it may be another file, and is asked about again
				d.trouble = present.Problem{}
			}
			return result
		},
		Busy: func(int) []string {
			if !d.looking.Pending() {
				return nil
			}
			return []string{m.Theme.Mark(ui.ToneWait, "Checking the address…")}
		},
		Submit: func() tea.Cmd {
			p, served, writable, anyway := f.Profile(), m.o.Served, m.o.Writable, !d.trouble.IsZero()
			d.trouble = present.Problem{}
			return d.looking.Then(func(a ui.Result[firstLook]) tea.Cmd {
				to := nav.Key{Profile: p, First: true, NoKeyring: !m.keyring, NoFile: a.Value.unwritable != nil, Served: a.Value.served}
				if to.NoFile && !anyway {
					d.trouble = present.Problem{What: "The profile cannot be written.", Detail: present.Plain(a.Value.unwritable.Error()), Next: "Correct that, or go on for this run only (ctrl+s)."}
					if p.Source == "age" {
						d.trouble.Next += " You will then be asked for the key itself: it cannot be sealed either."
					}
					return nil
				}
				if to.NoFile && p.Source == "age" { // it would be sealed in the same folder
					to.Profile = p.WithSource("ask")
				}
				return nav.Open(to)
			}).Ask(d.Scope, func(ctx context.Context) (l firstLook, _ error) {
				if writable != nil {
					l.unwritable = writable()
				}
				l.served = p.Environment == keystore.Test && served != nil && served(ctx, p.BaseURL)
				return l, nil
			})
		},
	}, "")
	d.Form = f.Form
	return nav.Open(nav.Over{Screen: d})
}

// Resize implements [ui.Screen].
func (d *firstForm) Resize(w, h int) {
	d.stage.Resize(w, h)
	d.Dialog.Resize(d.stage.W, d.stage.H)
}

// View implements [ui.Screen].
func (d *firstForm) View() (string, *tea.Cursor) { return d.stage.Place(d.Dialog.View()) }

// Back ends the look at the address; what was typed stays.
func (d *firstForm) Back() bool {
	was := d.looking.Pending()
	d.looking.Drop()
	return was
}

// Update implements [ui.Screen].
func (m *Setup) Update(msg tea.Msg) tea.Cmd {
	if k, pressed := msg.(tea.KeyPressMsg); pressed && !m.starting.Pending() {
		return m.menu.Press(k)
	}
	return nil
}

// Back ends the start of the demo.
func (m *Setup) Back() bool {
	was := m.starting.Pending()
	m.starting.Drop()
	return was
}

// Title implements [ui.Screen].
func (m *Setup) Title() string { return "Welcome" }

// Keys implements [ui.Screen].
func (m *Setup) Keys() []key.Binding {
	if m.starting.Pending() {
		return nil
	}
	return m.menu.Keys()
}

// Explain returns the text of the help page.
func (m *Setup) Explain() []string {
	return []string{
		"Create the first profile for your own service here, or open the demo: its sandbox needs neither a service nor a key.",
		"A profile names a service and an environment. Its secret key is never in the configuration: it is in the keyring or another source.",
		"A profile is test or live. Every screen shows which, and live makes you type the amount before money moves.",
	}
}

// View implements [ui.Screen]. In a low window the empty lines go first, never an option.
func (m *Setup) View() (string, *tea.Cursor) {
	w := m.W
	lines := present.Rows(0, m.Theme.Rule("There is no configuration yet", "", w))
	lines = append(append(lines, present.Rows(1, "")...), present.Rows(0, m.menu.Lines(w)...)...)
	lines = append(append(lines, present.Rows(1, "")...), present.Rows(0, m.Theme.Rule("Or write the file yourself", "", w))...)
	lines = append(lines, present.Rows(0, ui.Wrap(present.PathEnd(m.o.Folder.Profile(string(keystore.Test)), 2*w), w)...)...)
	lines = append(lines, present.Rows(0, m.Theme.MutedLines("It is a TOML file: see paydesk help configuration.", w)...)...)
	switch {
	case m.starting.Pending():
		lines = append(lines, present.Rows(0, "", m.Theme.Mark(ui.ToneWait, "Starting the demo…"))...)
	case m.looking.Pending() && m.next != "":
		lines = append(lines, present.Rows(0, "", m.Theme.Mark(ui.ToneWait, "Looking for a keyring…"))...)
	}
	lines = append(lines, present.Rows(0, m.trouble.Below(m.Theme, w)...)...)
	shown := present.FitHeight(m.H, lines)
	return m.Place(ui.Lines(m.W, m.H, append(make([]string, max(m.H-len(shown), 0)/3), shown...)...), nil)
}

// Command implements [ui.Commander]: where the profile that is missing will be.
func (m *Setup) Command() []string { return []string{"config", "path"} }
