package screens

import (
	"reflect"
	"slices"

	tea "charm.land/bubbletea/v2"

	"paydesk/screens/nav"
	"paydesk/ui"
)

// A drafts is the feature that keeps a form which was left with something typed, and a list that a number left. Its route opens
// it as it was left, in the same session.
type drafts struct {
	app  *App
	left []mount
}

var toEmpty = ui.Bind("ctrl+x", "empty form")

func hasDraft(s ui.Screen) bool {
	d, is := s.(ui.Drafter)
	return is && d.Draft()
}

// keep keeps a screen that is left, if it has a draft. A prompt is found again wherever a person looks up a payment, even if
// it was opened from a row. The newest comes first.
func (d *drafts) keep(m mount) {
	if !hasDraft(m.screen) {
		return
	}
	if m.isOf(nav.Payment{}) {
		m.route = nav.Payment{}
	}
	d.left = slices.Insert(d.left, 0, m)
}

// take returns the screen that was left at a route, nil for none.
func (d *drafts) take(r nav.Route) ui.Screen {
	at := slices.IndexFunc(d.left, func(m mount) bool { return reflect.DeepEqual(m.route, r) })
	if at < 0 {
		return nil
	}
	s := d.left[at].screen
	d.left = slices.Delete(d.left, at, at+1)
	if hasDraft(s) {
		d.app.warn("Filled in as you left it. " + toEmpty.Help().Key + ": " + toEmpty.Help().Desc)
	}
	return s
}

// Commands are the key that empties the form on top. Only the help page lists it.
func (d *drafts) Commands() ui.Commands {
	if !hasDraft(d.app.top()) {
		return nil
	}
	return ui.Commands{{Key: toEmpty, On: true, Do: d.empty}}
}

// empty opens a fresh form, which carries nothing of one customer over to the next.
func (d *drafts) empty() tea.Cmd {
	a := d.app
	route := a.topMount().route
	a.pop()
	return a.push(route)
}
