package screens

import (
	"context"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

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

// A paletteKey is the feature that finds every screen, every key's action, the profiles and the latest
// payments by a few letters. The screen that it was opened on stays as it is below.
type paletteKey struct {
	plain
	app  *App
	list *palette  // nil while it is closed
	on   ui.Screen // the screen that it was opened on
	do   []func() tea.Cmd
	add  []paletteEntry // those that the list does not have yet
}

// A paletteRead holds the profiles and payments that were read for the list.
type paletteRead struct {
	of       *palette
	profiles []keystore.Profile
	recent   []session.Entry
}

var toPalette = ui.Bind(":", "go to")

// Commands implements [feature]: the key opens it where letters are no text, and there is a screen to act on.
func (p *paletteKey) Commands() ui.Commands {
	a := p.app
	if a.idle.hidden || a.start.home != nil || a.top().Typing() {
		return nil
	}
	return ui.Commands{{Key: toPalette, On: true, Do: p.open}}
}

// open lists what there is. What is chosen from it finds the screen below interrupted already.
func (p *paletteKey) open() tea.Cmd {
	a := p.app
	p.on, p.do, p.add = a.top(), nil, nil
	p.listActions()
	p.listScreens()
	p.list = newPalette(a.env.Theme, p.add)
	p.list.Resize(ui.BodySize(a.w, a.h))
	return p.read()
}

// close goes back to what is below.
func (p *paletteKey) close() { p.list, p.on, p.do, p.add = nil, nil, nil, nil }

// take handles a key or a paste while it is open.
func (p *paletteKey) take(msg tea.Msg) tea.Cmd {
	a := p.app
	if k, pressed := msg.(tea.KeyPressMsg); a.tooSmall() || pressed && key.Matches(k, ui.Back) {
		p.close()
		return a.interruptTop()
	}
	chosen := p.list.Update(msg)
	if chosen < 0 {
		return nil
	}
	do, same := p.do[chosen], p.on == a.top()
	if p.close(); !same {
		a.hint = "Another screen was opened meanwhile: nothing was done."
		return nil
	}
	return do()
}

func (p *paletteKey) entry(e paletteEntry, do func() tea.Cmd) {
	p.add, p.do = append(p.add, e), append(p.do, do)
}

// listActions lists what the keys of the screen and of the console do. A question below was
// interrupted: it is not answered from here.
func (p *paletteKey) listActions() {
	a := p.app
	own, rooms := a.top().Keys(), a.rooms.Commands().Keys()
	asked := ui.Asked(own)
	for _, b := range a.arranged() {
		k, known := keyPress(b)
		kind := "console"
		if sameKeys(b, own) {
			kind = "here"
		}
		switch {
		case !b.Enabled() || b.Help().Desc == "" || !known || ui.Moves(b):
		case sameKeys(b, rooms), p.namedBetter(b), kind == "console" && slices.Equal(b.Keys(), toLookUp.Keys()), slices.Equal(b.Keys(), toPalette.Keys()), asked && kind == "here":
		default:
			p.entry(paletteEntry{Name: text.Capital(b.Help().Desc), Kind: kind, Key: b.Help().Key}, func() tea.Cmd { return a.press(k) })
		}
	}
}

func (p *paletteKey) onHome() bool { return shows[*home.Model](p.on) }

// namedBetter reports whether a key opens a screen that is listed by its name.
func (p *paletteKey) namedBetter(b key.Binding) bool {
	opens := func(w home.Way) bool { return slices.Equal(b.Keys(), w.Key.Keys()) }
	return p.app.conn.open() && (slices.Equal(b.Keys(), toSandbox.Keys()) || p.onHome() && slices.ContainsFunc(home.Begin, opens))
}

// listScreens lists the rooms and the other screens that a person opens.
func (p *paletteKey) listScreens() {
	a := p.app
	if !a.conn.open() {
		return
	}
	numbered := a.rooms.Commands()
	for _, to := range a.rooms.all() {
		e := paletteEntry{Name: to.Name, Kind: "screen"}
		if len(numbered) > 0 {
			e.Key = to.Key.Help().Key
		}
		if to.To == nav.Route(nav.Sandbox{}) {
			e.Key = strings.TrimSpace(e.Key + " " + toSandbox.Help().Key)
		}
		p.entry(e, func() tea.Cmd { return a.rooms.open(to) })
	}
	others := append(slices.Clone(home.Begin), home.Way{Name: "Diagnostics", To: nav.Diagnostics{}})
	if a.env.Doctor != nil {
		others = append(others, home.Way{Name: "Doctor of " + present.Plain(a.conn.profile.Name), To: nav.Doctor{Profile: a.conn.profile}})
	}
	for _, w := range others {
		looksUp := w.To == nav.Route(nav.Payment{})
		if !looksUp && slices.ContainsFunc(a.stack, func(m mount) bool { return m.isOf(w.To) }) { // a second one would hide what was typed in the first
			continue
		}
		e := paletteEntry{Name: w.Name, Kind: "screen"}
		if p.onHome() || looksUp && len(a.lookUp()) > 0 {
			e.Key = w.Key.Help().Key
		}
		p.entry(e, func() tea.Cmd { return a.push(w.To) })
	}
}

// read reads the profiles and the latest payments: a file and the journal may be slow.
func (p *paletteKey) read() tea.Cmd {
	a, list := p.app, p.list
	ctx, path, s := a.ctx, a.env.ConfigPath, a.conn.Session
	return func() tea.Msg { return readPalette(ctx, list, path, s) }
}

func readPalette(ctx context.Context, of *palette, path string, s *session.Session) tea.Msg {
	read := paletteRead{of: of}
	if path != "" {
		if c, err := keystore.Folder(path).LoadOrEmpty(); err == nil { // the screen of the profiles says what is wrong
			for _, name := range slices.Sorted(maps.Keys(c.Profiles)) {
				read.profiles = append(read.profiles, c.Profiles[name])
			}
		}
	}
	if s != nil {
		recent, _ := s.Tracker.Recent(ctx) // home says what is wrong with the journal
		read.recent = append(s.Tracker.All(), recent...)
	}
	return read
}

// Receive implements [feature].
func (p *paletteKey) Receive(msg tea.Msg) (tea.Cmd, bool) {
	read, is := msg.(paletteRead)
	if !is {
		return nil, false
	}
	if p.list == nil || read.of != p.list {
		return nil, true
	}
	p.add = nil
	p.listPayments(read.recent)
	p.listProfiles(read.profiles)
	p.list.Add(p.add)
	return nil, true
}

const amountWidth = 14 // cells of most amounts with their currency

func (p *paletteKey) listPayments(all []session.Entry) {
	a := p.app
	listed := map[string]bool{}
	for _, e := range all {
		ref := e.Reference.String()
		if ref == "" || listed[ref] {
			continue
		}
		listed[ref] = true
		to, stands := nav.Payment{Reference: e.Reference}, report.OfEntry(e, nil, ledger.Destination{}, a.Now()).Stands()
		p.entry(paletteEntry{Name: ui.Right(present.Amount(e.Attempt), amountWidth) + "  " + ref, Kind: stands.Text, Tone: stands.Tone}, func() tea.Cmd { return a.push(to) })
	}
}

func (p *paletteKey) listProfiles(all []keystore.Profile) {
	a := p.app
	for _, profile := range all {
		if profile.Name == a.conn.profile.Name && a.conn.profile.Environment != keystore.Sandbox {
			continue
		}
		name := present.Plain(profile.Name) + " · " + strings.ToUpper(string(profile.Environment))
		p.entry(paletteEntry{Name: name, Kind: "profile"}, func() tea.Cmd { return a.restart(nav.Key{Profile: profile}) })
	}
}

// namedKeys are the keys of bindings that type no letter.
var namedKeys = map[string]rune{
	"enter": tea.KeyEnter, "esc": tea.KeyEscape, "space": tea.KeySpace, "delete": tea.KeyDelete, "backspace": tea.KeyBackspace,
	"f1": tea.KeyF1, "f2": tea.KeyF2, "f3": tea.KeyF3, "f4": tea.KeyF4, "f5": tea.KeyF5,
}

// keyPress returns the first key of a binding, as if a person had pressed it.
func keyPress(b key.Binding) (k tea.KeyPressMsg, known bool) {
	if len(b.Keys()) == 0 {
		return k, false
	}
	name := b.Keys()[0]
	if code, named := namedKeys[name]; named {
		k = tea.KeyPressMsg{Code: code}
		if code == tea.KeySpace {
			k.Text = " "
		}
		return k, true
	}
	if letter, ctrl := strings.CutPrefix(name, "ctrl+"); ctrl && utf8.RuneCountInString(letter) == 1 {
		r, _ := utf8.DecodeRuneInString(letter)
		return tea.KeyPressMsg{Code: r, Mod: tea.ModCtrl}, true
	}
	r, n := utf8.DecodeRuneInString(name)
	if n == 0 || n != len(name) {
		return k, false
	}
	k = tea.KeyPressMsg{Code: r, Text: name}
	if unicode.IsUpper(r) {
		k.Code, k.ShiftedCode, k.Mod = unicode.ToLower(r), r, tea.ModShift
	}
	return k, true
}
