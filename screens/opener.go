package screens

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/screens/nav"
	"paydesk/screens/payment"
	"paydesk/screens/requests"
	"paydesk/ui"
)

// An opener is the feature that opens a screen over any other, which stays as it is. Only the help page lists its key.
type opener struct {
	plain
	app     *App
	key     key.Binding
	to      nav.Route
	offered func() bool
	shown   func() bool // it is open already
}

var (
	toRequests = ui.Bind("f2", "requests")
	toLookUp   = ui.Bind("l", "look up")
)

// newRequests returns the opener of the request log: what just failed is there.
func (a *App) newRequests() *opener {
	return &opener{app: a, key: toRequests, to: nav.Requests{},
		offered: func() bool { return a.env.Requests != nil && !a.idle.hidden },
		shown: func() bool {
			return slices.ContainsFunc(a.stack, func(m mount) bool { return shows[*requests.Model](m.screen) })
		},
	}
}

// newLookUp returns the opener of a payment by its reference: a customer calls while something else is shown. A screen that has the key
// looks up what it shows.
func (a *App) newLookUp() *opener {
	return &opener{app: a, key: toLookUp, to: nav.Payment{}, shown: func() bool { return false }, offered: func() bool {
		if a.idle.hidden || a.start.home != nil || !a.conn.open() {
			return false
		}
		top := a.top()
		return !top.Typing() && !ui.Asked(top.Keys()) && !sameKeys(toLookUp, top.Keys()) && !shows[*payment.Model](top)
	}}
}

// arrange adds the key to those of the help page.
func (w *opener) arrange(keys []key.Binding) []key.Binding {
	if !w.offered() || w.shown() || sameKeys(w.key, keys) {
		return keys
	}
	return append(keys, w.key)
}

// Press implements [feature].
func (w *opener) Press(k tea.KeyPressMsg) (tea.Cmd, bool) {
	if !key.Matches(k, w.key) || !w.offered() {
		return nil, false
	}
	return w.app.openOver(w.to, w.shown()), true
}
