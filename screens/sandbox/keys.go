package sandbox

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"paydesk/screens/nav"
	"paydesk/ui"
)

// collect opens what there is nothing to decide without.
var collect = ui.Bind("c", "collect a payment")

// commands are the keys of the list. Those of the sandbox alone are upper-case, so that no letter means something else
// here than on the other screens. A key whose action is not possible for the selected payment
// says why.
func (l *list) commands() ui.Commands {
	m, hostile := l.m, "hostile on"
	if l.hostile {
		hostile = "hostile off"
	}
	p, ok := shown(&l.base, l.payments) // so that the help bar waits for the mark to rest, too
	var cs ui.Commands
	for _, a := range l.actions {
		cs = append(cs, ui.Command{Key: a.binding, On: ok && a.disabled(p) == "", Do: func() tea.Cmd { return l.perform(a) }})
	}
	if !ok {
		cs = append(cs, ui.Command{Key: collect, On: true, Do: func() tea.Cmd { return nav.Open(nav.Collect{}) }})
	}
	return append(cs, ui.Commands{
		{Key: ui.Bind("P", "pay"), On: ok && p.whyNotPay() == "", Do: l.openPay},
		{Key: ui.Bind("F", "fault"), On: true, Do: func() tea.Cmd { return m.open(newFaults(m)) }},
		{Key: ui.Bind("T", "clock"), On: true, Do: func() tea.Cmd { return m.open(newClock(m)) }},
		{Key: ui.Bind("O", "switches"), On: true, Do: func() tea.Cmd { return m.open(newSwitches(m)) }},
		{Key: ui.Bind("W", "webhooks"), On: true, Do: func() tea.Cmd { return m.open(newWebhooks(m)) }},
		{Key: ui.Bind("H", hostile), On: true, Do: l.toggleHostile},
		m.clearFaults(l.armed),
		{Key: ui.Bind("R", "reset"), On: true, Do: m.askReset},
	}...)
}

// toggleHostile fills every string in responses with hostile text, to see that no screen is fooled
// by it.
func (l *list) toggleHostile() tea.Cmd {
	box, on, words := l.m.sandbox, !l.hostile, "Hostile text is off."
	if on {
		words = "Hostile text is on: every string in a response is hostile. Press H to turn it off."
	}
	return l.m.act(func(ctx context.Context) error { return box.SetHostile(ctx, on) }, l.m.tell(words))
}

// Explain is the screen's text on the help page.
func (m *Model) Explain() []string {
	return []string{
		"This screen controls the sandbox and shows its payments in their true state, whatever its responses say. Make a payment on another screen, press f3, decide here how it ends, and press esc to see the change there.",
		"INITIATED: the customer must approve at the bank (A, N). PENDING: a card payment is authorised and settles, a transfer waits to be paid. Transfers are paid by themselves after a moment; set the switch transfer.paid (O) to on-demand, and new ones wait for you. The seeded transactions are not payments of this run and are not shown. All times are by the sandbox's clock.",
		"Webhooks (W) are sent to every URL that was added; none of them waits for another. A webhook that was not delivered is tried again four times, then by enter. A sample or an edited webhook belongs to no payment, so that a receiver can be tried with what the service should never send. Nothing with a card number or the secret key is sent.",
	}
}
