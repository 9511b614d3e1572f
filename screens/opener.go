package screens

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/api/sandbox"
	"paydesk/keystore"
	"paydesk/screens/collect"
	"paydesk/screens/nav"
	"paydesk/ui"
)

// opener is a key that opens a screen over any other, which stays as it is. It does nothing more once that is shown.
func (a *App) opener(k key.Binding, to nav.Route, shown bool) ui.Commands {
	return ui.Commands{{Key: k, On: !shown, Do: func() tea.Cmd {
		if shown {
			return nil
		}
		return a.push(to)
	}}}
}

var (
	toRequests = ui.Bind("f2", "requests")
	toLookUp   = ui.Bind("l", "look up")
)

// requests opens the request log: what just failed is there. Only the help page lists its key.
func (a *App) requests() ui.Commands {
	return a.opener(toRequests, nav.Requests{}, slices.ContainsFunc(a.stack, func(m mount) bool { return m.isOf(nav.Requests{}) }))
}

// lookUp opens a payment by its reference: a customer calls while something else is shown. A screen that has the key looks up
// what it shows. Only the help page lists it.
func (a *App) lookUp() ui.Commands {
	if !a.conn.open() {
		return nil
	}
	top := a.top()
	if top.Typing() || ui.Asked(top.Keys()) || sameKeys(toLookUp, top.Keys()) || a.wholeMount().isOf(nav.Payment{}) {
		return nil
	}
	return a.opener(toLookUp, nav.Payment{}, false)
}

// A sandboxShortcut opens the sandbox from every screen but its own: that of the demo, or
// the one that serves a test profile on this machine. The screen below stays as it is.
type sandboxShortcut struct {
	app   *App
	found *sandbox.Controller // that serves the profile of the session; nil for none
}

var toSandbox = ui.Bind("f3", "sandbox")

// open reports whether the console speaks to a sandbox.
func (d *sandboxShortcut) open() bool { return d.sandbox() != nil }

// sandbox returns the one that the console speaks to; nil for none. The demo has its own, which no
// configured profile reaches; a test profile has the one that says at its address that it is one.
func (d *sandboxShortcut) sandbox() *sandbox.Controller {
	switch a := d.app; {
	case !a.conn.open():
		return nil
	case a.conn.profile.Environment == keystore.Sandbox:
		return a.env.Sandbox
	}
	return d.found
}

// find asks whether a sandbox serves the profile that was opened. Only one for tests is asked about.
func (d *sandboxShortcut) find() tea.Cmd {
	a := d.app
	if a.env.FindSandbox == nil || a.conn.profile.Environment != keystore.Test {
		return nil
	}
	ctx, find, address, s := a.ctx, a.env.FindSandbox, a.conn.profile.BaseURL, a.conn.Session
	return func() tea.Msg {
		found, err := find(ctx, address)
		if err != nil { // it is a service like any other
			return nil
		}
		return a.during(s, func() tea.Cmd {
			d.found = found
			if m := a.wholeMount(); m.isOf(nav.Ready{}) { // which says so
				return fromScreen(m.screen, m.screen.(ui.Resumer).Resume())
			}
			return nil
		})
	}
}

// Commands are the key that opens it.
func (d *sandboxShortcut) Commands() ui.Commands {
	if !d.open() {
		return nil
	}
	return d.app.opener(toSandbox, nav.Sandbox{}, d.app.wholeMount().isOf(nav.Sandbox{}))
}

// place returns where its key stands among others: last, but among those that the help bar has room for on the screens of
// a payment, since the sandbox decides how it ends.
func (d *sandboxShortcut) place(keys []key.Binding) int {
	const shown = 3 // before all others
	if d.app.topMount().isOf(nav.Challenge{}, nav.Transfer{}, nav.Payment{}) {
		return min(shown, len(keys))
	}
	return len(keys)
}

// testCards are the sandbox's cards as the card step offers them. That step does not know the
// sandbox, so no part of the sandbox takes a payment.
func testCards() []collect.TestCard {
	var cards []collect.TestCard
	for _, c := range sandbox.Cards() {
		cards = append(cards, collect.TestCard{Name: c.Name, Number: c.Number, CVV: c.CVV, Month: c.Month, Year: c.Year, Does: c.Does})
	}
	return cards
}
