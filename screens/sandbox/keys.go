package sandbox

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/ui"
)

// The keys of the list, besides those of the acts.
var (
	keyPay      = bind("p", "pay")
	keyFault    = bind("f", "fault")
	keyClear    = bind("x", "clear faults")
	keyClock    = bind("t", "clock")
	keySwitches = bind("w", "switches")
	keyHostile  = bind("h", "hostile on")
	keyWebhooks = bind("v", "webhooks")
	keyReset    = bind("R", "reset")
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

// press takes a key. One that is not open for the selected payment says why.
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
		return l.m.notify(ui.ToneNone, "Every text of an answer is hostile from now on; h ends it.")
	}
	return l.m.notify(ui.ToneNone, "Answers hold their own texts again.")
}

// Explain says in full what the screen is about.
func (m *Model) Explain() []string {
	return []string{
		"This is the service of the demo from the inside: the payments it holds, as they truly are, whatever it answers. Make a payment on another screen, come here with ctrl+b, decide what becomes of it, and go back with esc to see it turn there.",
		"INITIATED: the bank asks the customer (a, r). PENDING: a card is authorised and settles, a transfer waits for its money. Transfers are paid by themselves after a moment; with the switch transfer.paid (w) on-demand, those made afterwards wait for you. Rows of the list that were there before are not payments of this run. All times are those of the sandbox's clock.",
	}
}
