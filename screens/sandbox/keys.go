package sandbox

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/ui"
)

// The keys of the list, besides those of the actions.
var (
	keyPay      = ui.Bind("p", "pay")
	keyFault    = ui.Bind("f", "fault")
	keyClear    = ui.Bind("x", "clear faults")
	keyClock    = ui.Bind("t", "clock")
	keySwitches = ui.Bind("w", "switches")
	keyHostile  = ui.Bind("h", "hostile on")
	keyWebhooks = ui.Bind("v", "webhooks")
	keyReset    = ui.Bind("R", "reset")
)

func (l *list) keys() []key.Binding {
	pay, clear, hostile := keyPay, keyClear, keyHostile
	p, any := l.selected()
	var keys []key.Binding
	for _, a := range l.actions {
		a.binding.SetEnabled(any && a.disabled(p) == "")
		keys = append(keys, a.binding)
	}
	pay.SetEnabled(any && p.whyNotPay() == "")
	clear.SetEnabled(len(l.armed) > 0)
	if l.hostile {
		hostile.SetHelp("h", "hostile off")
	}
	keys = append(keys, pay, keyFault, keyClock, keySwitches, keyWebhooks, hostile, clear, keyReset)
	return append(keys, l.table.Keys()...)
}

// press handles a key. A key whose action is not possible for the selected payment says
// why.
func (l *list) press(k tea.KeyPressMsg) tea.Cmd {
	if l.table.Update(k) {
		return nil
	}
	for _, a := range l.actions {
		if isKey(k, a.binding) {
			l.perform(a)
			return nil
		}
	}
	m := l.m
	switch {
	case isKey(k, keyPay):
		return l.openPay()
	case isKey(k, keyFault):
		return m.open(newFaults(m))
	case isKey(k, keyClear):
		return m.clearFaults()
	case isKey(k, keyClock):
		return m.open(newClock(m))
	case isKey(k, keySwitches):
		return m.open(newSwitches(m))
	case isKey(k, keyWebhooks):
		return m.open(newWebhooks(m))
	case isKey(k, keyHostile):
		return l.toggleHostile()
	case isKey(k, keyReset):
		return m.askReset()
	}
	return nil
}

func (l *list) toggleHostile() tea.Cmd {
	on := !l.m.sandbox.IsHostile()
	if l.m.sandbox.Hostile(on); on {
		return l.m.notify(ui.ToneNone, "Hostile text is on: every string in a response is hostile. Press h to turn it off.")
	}
	return l.m.notify(ui.ToneNone, "Hostile text is off.")
}

// Explain is the screen's text on the help page.
func (m *Model) Explain() []string {
	return []string{
		"This screen controls the demo's service and shows its payments in their true state, whatever its responses say. Make a payment on another screen, press ctrl+b, decide here how it ends, and press esc to see the change there.",
		"INITIATED: the customer must approve at the bank (a, r). PENDING: a card payment is authorised and settles, a transfer waits to be paid. Transfers are paid by themselves after a moment; set the switch transfer.paid (w) to on-demand, and new ones wait for you. The seeded transactions are not payments of this run and are not shown. All times are by the sandbox's clock.",
	}
}
