package screens

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/screens/present"
	"paydesk/ui"
)

// A helpPage lists the keys that work on the screen it was opened on, in place of its body.
type helpPage struct{ text ui.Scroll }

// lay puts the text into the body.
func (p *helpPage) lay(a *App) {
	w, h := ui.BodySize(a.w, a.h)
	f := ui.Frame{Theme: a.env.Theme, Trail: a.trail(), Times: present.Zone(a.Now())}
	p.text.Show(w, h, f.HelpLines(w, a.helpGroups(), a.explain()...))
}

// scroll takes a key that scrolls what does not fit, and reports whether it was one.
func (p *helpPage) scroll(a *App, k tea.KeyPressMsg) bool {
	p.lay(a)
	return p.text.Overflows() && p.text.Update(k)
}

func (p *helpPage) keys() []key.Binding {
	if p.text.Overflows() {
		return ui.HelpScrollKeys
	}
	return ui.HelpPageKeys
}

// position says which part of the text is visible.
func (p *helpPage) position() ui.Notice {
	if !p.text.Overflows() {
		return ui.Notice{}
	}
	return ui.Notice{Text: p.text.Position()}
}

// helpGroups are the keys that work now: the screen's, those that move in it, and those that work
// on every screen.
func (a *App) helpGroups() []ui.HelpGroup {
	screen, move := ui.HelpGroup{Title: "On this screen"}, ui.HelpGroup{Title: "Moving"}
	own, rooms := a.start.shown().Keys(), a.rooms.keys()
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
	everywhere := slices.DeleteFunc(a.pins.arrange(a.requests.arrange(a.bindings())), func(b key.Binding) bool {
		return sameKeys(b, own)
	})
	return append(groups, ui.HelpGroup{Title: "Rooms", Keys: rooms}, ui.HelpGroup{Title: "Everywhere", Keys: everywhere})
}

// sameKeys reports whether one of others has the keys of b.
func sameKeys(b key.Binding, others []key.Binding) bool {
	return slices.ContainsFunc(others, func(o key.Binding) bool { return slices.Equal(o.Keys(), b.Keys()) })
}
