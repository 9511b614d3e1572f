package screens

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	service "paydesk/api/sandbox"
	"paydesk/keystore"
	"paydesk/screens/challenge"
	"paydesk/screens/collect"
	"paydesk/screens/nav"
	"paydesk/screens/payment"
	"paydesk/screens/sandbox"
	"paydesk/screens/transfer"
	"paydesk/ui"
)

// A demo is the feature that opens the demo's service from every screen but its own. The screen
// below stays as it is.
type demo struct {
	plain
	app *App
}

var toSandbox = ui.Bind("ctrl+b", "sandbox")

// open reports whether the console speaks to the embedded sandbox. No profile that is
// configured can call itself one.
func (d *demo) open() bool {
	a := d.app
	return !a.idle.hidden && a.env.Sandbox != nil && a.conn.open() && a.conn.profile.Environment == keystore.Sandbox
}

func (d *demo) shown() bool {
	_, there := d.app.top().(*sandbox.Model)
	return there
}

// arrange puts the way to the sandbox last, but before what the help bar has no room for where
// somebody waits for what is decided there.
func (d *demo) arrange(keys []key.Binding) []key.Binding {
	if d.shown() || !d.open() {
		return keys
	}
	at := len(keys)
	switch d.app.top().(type) {
	case *challenge.Model, *transfer.Model, *payment.Model:
		at = shownFirst(keys)
	}
	return slices.Insert(keys, at, toSandbox)
}

// Press implements [feature].
func (d *demo) Press(k tea.KeyPressMsg) (tea.Cmd, bool) {
	if !key.Matches(k, toSandbox) || !d.open() {
		return nil, false
	}
	interrupted := d.app.interruptTop()
	if d.shown() {
		return interrupted, true
	}
	return tea.Batch(interrupted, d.app.push(nav.Sandbox{})), true
}

// testCards are the demo's cards as the card step offers them. That step knows no sandbox, so that
// nothing of it is part of taking a payment.
func testCards() []collect.TestCard {
	var cards []collect.TestCard
	for _, c := range service.Cards() {
		cards = append(cards, collect.TestCard{Name: c.Name, Number: c.Number, CVV: c.CVV, Month: c.Month, Year: c.Year, Does: c.Does})
	}
	return cards
}

// shownFirst is where the first keys end that are shown before all others.
func shownFirst(keys []key.Binding) int {
	const most = 3
	shown := 0
	for i, k := range keys {
		if k.Enabled() {
			shown++
		}
		if shown == most {
			return i + 1
		}
	}
	return len(keys)
}
