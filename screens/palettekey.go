package screens

import (
	"context"
	"maps"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/api/ledger"
	"paydesk/api/session"
	"paydesk/api/text"
	"paydesk/keystore"
	"paydesk/screens/home"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/screens/report"
	"paydesk/ui"
)

// A paletteRead holds the profiles and payments that were read for the list.
type paletteRead struct {
	profiles []keystore.Profile
	recent   []session.Entry
}

var toPalette = ui.Bind(":", "go to")

// goTo opens the palette where letters are no text. What is chosen from it finds the screen below interrupted already.
func (a *App) goTo() ui.Commands {
	if a.top().Typing() {
		return nil
	}
	return ui.Commands{{Key: toPalette, On: true, Do: func() tea.Cmd { return a.push(nav.Over{Screen: newPalette(a)}) }}}
}

// closePalette takes the palette away, if it is on top.
func (a *App) closePalette() {
	if _, is := a.top().(*palette); is {
		a.pop()
	}
}

// choose does what was chosen on the screen below, unless the list was closed meanwhile, or that one was replaced.
func (m *palette) choose(e paletteEntry) tea.Cmd {
	if m.app.top() != ui.Screen(m) {
		return nil
	}
	if m.app.closePalette(); m.app.top() != m.on {
		return m.app.warn("Another screen was opened meanwhile: nothing was done.")
	}
	return e.Do()
}

// actions lists what the keys of the screen and of the console do. A question below was
// interrupted: it is not answered from here.
func (m *palette) actions() (all []paletteEntry) {
	a := m.app
	own, rooms := a.top().Keys(), a.numbers().Keys()
	asked := ui.Asked(own)
	for _, b := range a.arranged() {
		in := paletteConsole
		if sameKeys(b, own) {
			in = paletteHere
		}
		switch {
		case !b.Enabled() || b.Help().Desc == "" || ui.Moves(b) || strings.ContainsAny(b.Help().Key, "←→↑↓"):
		case sameKeys(b, rooms), m.namedBetter(b), in == paletteConsole && slices.Equal(b.Keys(), toLookUp.Keys()), slices.Equal(b.Keys(), toPalette.Keys()), asked && in == paletteHere:
		default:
			do := func() tea.Cmd { return a.pressNamed(b.Keys()[0]) }
			all = append(all, paletteEntry{in: in, Name: text.Capital(b.Help().Desc), Key: b.Help().Key, Do: do})
		}
	}
	return all
}

// pressNamed presses a key by its name, which is all that most screens look at. A field would take the name as text: there may be one by
// now, though the list opened where there was none.
func (a *App) pressNamed(name string) tea.Cmd {
	if a.top().Typing() {
		return a.warn("A field takes this key as text now: nothing was done.")
	}
	return a.press(tea.KeyPressMsg{Text: name})
}

func (m *palette) onHome() bool { return m.app.topMount().isOf(nav.Home{}) }

// namedBetter reports whether a key opens a screen that is listed by its name.
func (m *palette) namedBetter(b key.Binding) bool {
	opens := func(w home.Way) bool { return slices.Equal(b.Keys(), w.Key.Keys()) }
	return m.app.conn.open() && (slices.Equal(b.Keys(), toSandbox.Keys()) || m.onHome() && slices.ContainsFunc(home.Begin, opens))
}

// screens lists the rooms and the other screens that a person opens.
func (m *palette) screens() (all []paletteEntry) {
	a := m.app
	if !a.conn.open() {
		return nil
	}
	numbered := a.numbers()
	for _, to := range a.rooms() {
		e := paletteEntry{in: paletteScreens, Name: to.Name, Kind: to.About, Do: func() tea.Cmd { return a.openRoom(to) }}
		if len(numbered) > 0 {
			e.Key = to.Key.Help().Key
		}
		if to.To == nav.Route(nav.Sandbox{}) {
			e.Key = strings.TrimSpace(e.Key + " " + toSandbox.Help().Key)
		}
		all = append(all, e)
	}
	others := append(slices.Clone(home.Begin), home.Way{Name: "Diagnostics", About: "doctor of this console", To: nav.Diagnostics{}})
	if a.env.Doctor != nil && a.conn.profile.Environment != keystore.Sandbox { // the demo is in no configuration
		others = append(others, home.Way{Name: "Doctor of " + present.Plain(a.conn.profile.Name), About: "what works on this host", To: nav.Doctor{Profile: a.conn.profile}})
	}
	for _, w := range others {
		looksUp := w.To == nav.Route(nav.Payment{})
		if !looksUp && slices.ContainsFunc(a.stack, func(open mount) bool { return open.isOf(w.To) }) { // a second one would hide what was typed in the first
			continue
		}
		e := paletteEntry{in: paletteScreens, Name: w.Name, Kind: w.About, Do: func() tea.Cmd { return a.push(w.To) }}
		if m.onHome() || looksUp && len(a.lookUp()) > 0 {
			e.Key = w.Key.Help().Key
		}
		all = append(all, e)
	}
	return all
}

// read reads the profiles and the latest payments: a file and the journal may be slow.
func (m *palette) read() func(context.Context) (paletteRead, error) {
	path, s := m.app.env.ConfigPath, m.app.conn.Session
	return func(ctx context.Context) (read paletteRead, _ error) {
		if path != "" {
			if c, err := keystore.Folder(path).LoadOrEmpty(); err == nil { // the screen of the profiles says what is wrong
				for _, name := range slices.Sorted(maps.Keys(c.Profiles)) {
					read.profiles = append(read.profiles, c.Profiles[name])
				}
			}
		}
		if s != nil {
			_ = s.Latest(ctx) // home says what is wrong with the journal
			read.recent = s.All()
		}
		return read, nil
	}
}

const amountWidth = 14 // cells of most amounts with their currency

func (m *palette) payments(known []session.Entry) (all []paletteEntry) {
	a := m.app
	listed := map[string]bool{}
	for _, e := range known {
		ref := e.Reference.String()
		if ref == "" || listed[ref] {
			continue
		}
		listed[ref] = true
		to, stands := nav.Payment{Reference: e.Reference}, report.OfEntry(e, nil, ledger.Destination{}, a.Now()).Stands()
		all = append(all, paletteEntry{
			in: palettePayments, Name: ui.Right(present.Amount(e.Attempt), amountWidth) + "  " + ref, Kind: stands.Text, Tone: stands.Tone, Do: func() tea.Cmd { return a.push(to) },
		})
	}
	return all
}

func (m *palette) profiles(known []keystore.Profile) (all []paletteEntry) {
	a := m.app
	for _, profile := range known {
		if profile.Name == a.conn.profile.Name && a.conn.profile.Environment != keystore.Sandbox {
			continue
		}
		name := present.Plain(profile.Name) + " · " + strings.ToUpper(string(profile.Environment))
		all = append(all, paletteEntry{in: paletteProfiles, Name: name, Kind: "profile", Do: func() tea.Cmd { return a.restart(nav.Key{Profile: profile}) }})
	}
	return all
}
