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

// A keyMap is the bindings of a payment that is watched.
type keyMap struct {
	seen, ask, pause, finalize, copy, authenticate, transfer, bell, another key.Binding
}

func bind(k, words string) key.Binding {
	return key.NewBinding(key.WithKeys(k), key.WithHelp(k, words))
}

// keys are the bindings as they are open now.
func (m *Model) keys() keyMap {
	k := keyMap{
		seen: bind("y", "I have seen it"), ask: bind("r", "ask now"), pause: bind("p", "pause"),
		finalize: bind("f", "finalize"), copy: bind("c", "copy reference"),
		authenticate: bind("a", "bank's check"), transfer: bind("t", "account to pay into"),
		bell: bind("b", "bell on"), another: bind("l", "look up"),
	}
	if m.state.Phase == watch.Paused {
		k.pause.SetHelp("p", "go on")
	}
	if m.set.Bell {
		k.bell.SetHelp("b", "bell off")
	}
	k.seen.SetEnabled(m.state.Amount.Unacknowledged())
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
	return []key.Binding{k.seen, k.ask, k.pause, k.finalize, k.transfer, k.authenticate, k.copy, k.another, k.bell}
}

// key takes a key. A key that is not open says why.
func (m *Model) key(p tea.KeyPressMsg) tea.Cmd {
	k := m.keys()
	pressed := func(b key.Binding) bool { return slices.Contains(b.Keys(), p.String()) }
	switch {
	case pressed(k.ask):
		return m.askNow()
	case pressed(k.pause):
		return m.pause()
	case pressed(k.bell):
		return m.ring()
	case pressed(k.copy):
		return m.copy()
	case pressed(k.finalize):
		return m.today.Ask(m.scope, today)
	case pressed(k.authenticate):
		return m.travel(m.whyNotAuthenticate(), nav.Challenge{Reference: m.reference})
	case pressed(k.transfer):
		return m.travel(m.whyNoTransfer(), nav.Transfer{Reference: m.reference})
	case pressed(k.another):
		return m.another()
	case pressed(k.seen):
		m.watch.Acknowledge()
		return m.show(m.watch.State())
	}
	return nil
}

// copy hands on a reference of the form that may be (R6).
func (m *Model) copy() tea.Cmd {
	if !present.Copyable(string(m.reference)) {
		return m.say(ui.ToneAct, "This reference is not copied: it is long, or has more in it than letters, digits, _ and -.")
	}
	m.say(ui.ToneNone, "The reference was sent to your terminal's clipboard.")
	return tea.SetClipboard(string(m.reference))
}

func (m *Model) askNow() tea.Cmd {
	if !m.watch.Check() {
		return m.say(ui.ToneNone, "It is being asked already.")
	}
	return m.show(m.watch.State())
}

func (m *Model) ring() tea.Cmd {
	m.set.Bell = !m.set.Bell
	if m.set.Bell {
		return m.say(ui.ToneNone, "The bell rings when a payment settles while it is watched.")
	}
	return m.say(ui.ToneNone, "The bell is off.")
}

// another asks for another reference. It stands in the place of this payment, so
// that one look-up after the other does not leave a row of watches behind.
func (m *Model) another() tea.Cmd {
	if m.WhyStay() != "" {
		return m.say(ui.ToneAct, m.WhyStay())
	}
	return nav.ReplaceWith(nav.Payment{})
}

// finalize goes on to finalizing, or says why that is not open at this time.
func (m *Model) finalize(now time.Time) tea.Cmd {
	return m.travel(m.whyNotFinalize(now), nav.Finalize{Reference: m.reference})
}

// travel goes to another screen unless there is a reason not to.
func (m *Model) travel(why string, to nav.Route) tea.Cmd {
	if why != "" {
		return m.say(ui.ToneAct, why)
	}
	return nav.Open(to)
}

func (m *Model) whyNotFinalize(now time.Time) string {
	if m.state.Amount.Unacknowledged() {
		return m.WhyStay()
	}
	if !m.state.History.Any && !m.ours {
		return "The service has told nothing of this payment yet: ask first (r)."
	}
	return m.happened.WhyNot(flow.Finalize, now)
}

func (m *Model) whyNotAuthenticate() string {
	if !m.ours {
		return "The bank's check is asked for payments that were made from here."
	}
	return m.happened.WhyNot(flow.Authenticate, m.now)
}

func (m *Model) whyNoTransfer() string {
	if !m.ours || m.entry.Payment.Transfer == nil {
		return "No account to pay into is known for this payment."
	}
	return ""
}

// Explain says in full what the screen is about.
func (m *Model) Explain() []string {
	if m.prompting {
		return []string{"Give the reference the service made for a payment: a short code for cards, a UUID for transfers. Looking it up only asks; nothing is changed."}
	}
	return []string{
		"The status is asked for at once, then after 2 seconds and ever more rarely, at least every 30 seconds, until it is final or 15 minutes have passed (a transfer: until 10 minutes after its account expired). What was told last stays on screen when a question is not answered.",
		explain("SUCCESSFUL") + " " + explain("PENDING") + " " + explain("FAILED") +
			" A word the specification does not have is shown as it came and never taken for success.",
	}
}

// explain is a status word, what it means and what to do about it.
func explain(word string) string {
	means, action := present.Meaning(api.ParseStatus(word))
	return word + ": " + means + " " + action
}

// today is a command's look at the clock.
func today(context.Context) (time.Time, error) { return time.Now(), nil }
