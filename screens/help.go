package screens

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/screens/present"
	"paydesk/ui"
)

// A helpPage lists the keys that work on the screen it was opened on, in place of its body; or has another text there.
type helpPage struct {
	text    ui.Scroll
	instead func(w int) []string // another text, in lines of at most w cells; nil for the keys
}

// lay puts the text into the body.
func (p *helpPage) lay(a *App) {
	w, h := ui.BodySize(a.w, a.h)
	if p.instead != nil {
		p.text.Show(w, h, p.instead(w))
		return
	}
	f := ui.Frame{Theme: a.env.Theme, Trail: a.trail(), Times: present.Zone(a.Now())}
	purpose, more := a.explain()
	lines := f.HelpLines(w, purpose, a.helpGroups(), more...)
	if n := a.news(); ui.Width(n.Text) > w { // its line cuts it
		lines = slices.Concat(a.env.Theme.MarkLines(n.Tone, n.Text, w), []string{""}, lines)
	}
	p.text.Show(w, h, lines)
}

// scroll takes a key that scrolls what does not fit, and reports whether it was one.
func (p *helpPage) scroll(a *App, k tea.KeyPressMsg) bool {
	p.lay(a)
	return p.text.Overflows() && p.text.Update(k)
}

// keys replace the help bar. Where there is more than fits, several keys scroll, and esc is one that does not.
func (p *helpPage) keys() []key.Binding {
	closes, does := "any key", "closes help"
	if p.instead != nil {
		does = "closes this"
	}
	if p.text.Overflows() {
		closes = "esc"
	}
	return []key.Binding{p.text.Keys(), ui.Bind(closes, does, ui.HelpTyping.Keys()...)}
}

// position says which part of the text is visible.
func (p *helpPage) position() ui.Notice {
	if !p.text.Overflows() {
		return ui.Notice{}
	}
	return ui.Notice{Text: p.text.Position()}
}

// helpGroups lists the keys that work now: the screen's, those that move in it, and those that work
// on every screen.
func (a *App) helpGroups() []ui.HelpGroup {
	screen, move := ui.HelpGroup{Title: "On this screen"}, ui.HelpGroup{Title: "Moving"}
	own, rooms := a.start.shown().Keys(), a.numbers().Keys()
	for _, b := range own {
		switch {
		case ui.Moves(b):
			move.Keys = append(move.Keys, b)
		case !sameKeys(b, rooms): // home lists them too
			screen.Keys = append(screen.Keys, b)
		}
	}
	groups := []ui.HelpGroup{screen, move}
	if a.top().Typing() {
		groups = append(groups, ui.HelpGroup{Title: "In a field", Keys: ui.Editing})
	}
	everywhere := slices.DeleteFunc(a.arranged(), func(b key.Binding) bool {
		return sameKeys(b, own)
	})
	return append(groups, ui.HelpGroup{Title: "Rooms", Keys: rooms}, ui.HelpGroup{Title: "Everywhere", Keys: everywhere})
}

// arranged returns the bindings with those that only the help page and the palette list.
func (a *App) arranged() []key.Binding {
	return append(a.bindings(), a.offers(a.requests, a.copying, a.lookUp, a.pins.Commands, a.drafts.Commands).Keys()...)
}

// sameKeys reports whether one of others has the keys of b.
func sameKeys(b key.Binding, others []key.Binding) bool {
	return slices.ContainsFunc(others, func(o key.Binding) bool { return slices.Equal(o.Keys(), b.Keys()) })
}
