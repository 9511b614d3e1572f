package screens

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/screens/nav"
	"paydesk/screens/payment"
	"paydesk/ui"
)

// A lookUp is the feature that asks for the reference of a payment over any screen, which stays as it is: a customer
// calls while something else is shown. A screen that has the key looks up what it shows.
type lookUp struct {
	plain
	app *App
}

var toLookUp = ui.Bind("l", "look up")

func (l *lookUp) offered() bool {
	a := l.app
	if a.idle.hidden || a.start.home != nil || !a.conn.open() {
		return false
	}
	top := a.top()
	return !top.Typing() && !ui.Asked(top.Keys()) && !sameKeys(toLookUp, top.Keys()) && !shows[*payment.Model](top)
}

// arrange adds the key to those of the help page.
func (l *lookUp) arrange(keys []key.Binding) []key.Binding {
	if !l.offered() {
		return keys
	}
	return append(keys, toLookUp)
}

// Press implements [feature].
func (l *lookUp) Press(k tea.KeyPressMsg) (tea.Cmd, bool) {
	if !key.Matches(k, toLookUp) || !l.offered() {
		return nil, false
	}
	return l.app.openOver(nav.Payment{}, false), true
}
