package payment

import (
	"context"
	"slices"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/flow"
	"paydesk/api/watch"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/ui"
)

// A keyMap has the bindings of a watched payment.
type keyMap struct {
	acknowledge, check, pause, finalize, copy, authenticate, transfer, bell, another key.Binding
}

// keys are the bindings; those that do nothing now are disabled.
func (m *Model) keys() keyMap {
	k := keyMap{
		acknowledge: ui.Bind("y", "acknowledge"), check: ui.Bind("r", "check now"), pause: ui.Bind("p", "pause"),
		finalize: ui.Bind("f", "finalize"), copy: ui.Bind("c", "copy"),
		authenticate: ui.Bind("a", "bank check"), transfer: ui.Bind("t", "account to pay into"),
		bell: ui.Bind("b", "bell on"), another: ui.Bind("l", "look up"),
	}
	if m.state.Phase == watch.Paused {
		k.pause.SetHelp("p", "resume")
	}
	if m.set.Bell {
		k.bell.SetHelp("b", "bell off")
	}
	k.acknowledge.SetEnabled(m.state.Amount.Unacknowledged())
	k.pause.SetEnabled(m.state.Phase == watch.Polling || m.state.Phase == watch.Paused)
	k.finalize.SetEnabled(m.whyNotFinalize(m.now) == "")
	k.authenticate.SetEnabled(m.whyNotAuthenticate() == "")
	k.transfer.SetEnabled(m.whyNoTransfer() == "")
	k.copy.SetEnabled(present.Copyable(string(m.reference)))
	return k
}

// Keys implements [ui.Screen].
func (m *Model) Keys() []key.Binding {
	if m.prompting {
		look := ui.Submit
		look.SetHelp("enter", "look it up")
		return []key.Binding{look}
	}
	k := m.keys()
	return []key.Binding{k.acknowledge, k.check, k.pause, k.finalize, k.transfer, k.authenticate, k.copy, k.another, k.bell}
}

// key handles a key. A disabled key says why.
func (m *Model) key(p tea.KeyPressMsg) tea.Cmd {
	k := m.keys()
	pressed := func(b key.Binding) bool { return slices.Contains(b.Keys(), p.String()) }
	switch {
	case pressed(k.check):
		return m.checkNow()
	case pressed(k.pause):
		return m.pause()
	case pressed(k.bell):
		return m.toggleBell()
	case pressed(k.copy):
		return m.copy()
	case pressed(k.finalize):
		return m.clock.Ask(m.scope, clock)
	case pressed(k.authenticate):
		return m.openUnless(m.whyNotAuthenticate(), nav.Challenge{Reference: m.reference})
	case pressed(k.transfer):
		return m.openUnless(m.whyNoTransfer(), nav.Transfer{Reference: m.reference})
	case pressed(k.another):
		return m.another()
	case pressed(k.acknowledge):
		m.watch.Acknowledge()
		return m.show(m.watch.State())
	}
	return nil
}

// copy copies the reference if it is safe to.
func (m *Model) copy() tea.Cmd {
	if !present.Copyable(string(m.reference)) {
		return m.notify(ui.ToneAct, "Cannot copy this reference: it is too long or has unusual characters.")
	}
	m.notify(ui.ToneNone, "The reference was sent to your terminal's clipboard.")
	return tea.SetClipboard(string(m.reference))
}

func (m *Model) checkNow() tea.Cmd {
	if !m.watch.Check() {
		return m.notify(ui.ToneNone, "Already checking.")
	}
	return m.show(m.watch.State())
}

func (m *Model) toggleBell() tea.Cmd {
	m.set.Bell = !m.set.Bell
	if m.set.Bell {
		return m.notify(ui.ToneNone, "The bell rings when a watched payment becomes final.")
	}
	return m.notify(ui.ToneNone, "The bell is off.")
}

// another prompts for another reference. The prompt replaces this payment, so that a series of
// look-ups does not leave a stack of watches.
func (m *Model) another() tea.Cmd {
	if m.WhyStay() != "" {
		return m.notify(ui.ToneAct, m.WhyStay())
	}
	return nav.ReplaceWith(nav.Payment{})
}

// finalize opens the finalize screen, or says why it cannot.
func (m *Model) finalize(now time.Time) tea.Cmd {
	return m.openUnless(m.whyNotFinalize(now), nav.Finalize{Reference: m.reference})
}

// openUnless opens a screen unless there is a reason not to.
func (m *Model) openUnless(why string, to nav.Route) tea.Cmd {
	if why != "" {
		return m.notify(ui.ToneAct, why)
	}
	return nav.Open(to)
}

func (m *Model) whyNotFinalize(now time.Time) string {
	if m.state.Amount.Unacknowledged() {
		return m.WhyStay()
	}
	if !m.state.History.Any && !m.ours {
		return "The status of this payment is not known yet. Check it first (r)."
	}
	return m.flow.WhyNot(flow.Finalize, now)
}

func (m *Model) whyNotAuthenticate() string {
	if !m.ours {
		return "The bank check is available only for payments taken here."
	}
	return m.flow.WhyNot(flow.Authenticate, m.now)
}

func (m *Model) whyNoTransfer() string {
	if !m.ours || m.entry.Payment.Transfer == nil {
		return "No account to pay into is known for this payment."
	}
	return ""
}

// Explain is the help page's text beyond the keys.
func (m *Model) Explain() []string {
	if m.prompting {
		return []string{"Enter the reference that the service gave the payment: a short code for cards, a UUID for transfers. Looking it up changes nothing."}
	}
	return []string{
		"The status is checked immediately, then after 2 seconds and less and less often, at least every 30 seconds, until it is final or 15 minutes have passed (for a transfer, 10 minutes after its account expires). The last status stays on the screen when a check fails.",
		explain("SUCCESSFUL") + " " + explain("PENDING") + " " + explain("FAILED") +
			" A status that is not in the specification is shown unchanged and never treated as success.",
	}
}

// explain is a status word, what it means and what to do about it.
func explain(word string) string {
	means, action := present.Meaning(api.ParseStatus(word))
	return word + ": " + means + " " + action
}

// clock reads the time in a command, since Update must not.
func clock(context.Context) (time.Time, error) { return time.Now(), nil }
