package home

import (
	"context"
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/api/ledger"
	"paydesk/screens/nav"
	"paydesk/ui"
)

// A Tour is the four lines that home has in the demo. It outlives the screen, so that what was ticked stays so.
type Tour struct {
	// Read returns what has happened in this run. What it has returned once stays ticked.
	Read func(context.Context) (Toured, error)
	// SendEvent has the sandbox send a webhook, where none has arrived.
	SendEvent func(context.Context) error
	// LoseAnswer has the sandbox lose the answer to the next payment, and KeepAnswers no more, unless it has lost it.
	LoseAnswer, KeepAnswers func(context.Context) error

	done  Toured
	away  bool // a person has taken the lines off
	armed bool // an answer may be lost
}

// Toured tells which of the four have happened: the service reported a payment with a challenge as successful, and one
// through a link; a person decided about an unresolved attempt, and has seen a webhook that arrived.
type Toured struct{ Challenge, Link, Resolved, Event bool }

func (t Toured) all() bool { return t == Toured{true, true, true, true} }

// SawEvent ticks the line of the webhooks: a person has seen one.
func (t *Tour) SawEvent() { t.done.Event = true }

// or returns the steps of both.
func (t Toured) or(o Toured) Toured {
	return Toured{t.Challenge || o.Challenge, t.Link || o.Link, t.Resolved || o.Resolved, t.Event || o.Event}
}

func (t Toured) count() (n int) {
	for _, done := range []bool{t.Challenge, t.Link, t.Resolved, t.Event} {
		if done {
			n++
		}
	}
	return n
}

// The test cards that the lines begin with.
const (
	challengeCard = "challenge"
	simpleCard    = "approve"
)

// steps returns the lines of the tour; none where there is no tour, or nothing could be ticked.
func (m *Model) steps() []item {
	t := m.options.Tour
	if t == nil || t.away || !m.problem.IsZero() {
		return nil
	}
	losing := "enter arms it"
	if _, lost := m.lost(); lost {
		losing = "f3 finds it"
	}
	return []item{
		{in: sectionTour, done: t.done.Challenge, Way: Way{key.Binding{}, nav.Collect{Sample: challengeCard}, "Pay by card with a challenge", "card 1019",
			"A payment is filled in, its test card offered. Approve it as its bank, on the sandbox's screen (f3, A). Ticked once the service reports it as successful."}},
		{in: sectionTour, done: t.done.Link, Way: Way{key.Binding{}, nav.NewLink{Sample: simpleCard}, "Pay a link", "filled-in form",
			"A link is filled in: enter creates it, enter pays it; then finalize (f). Or pay at its URL in a browser. Ticked once the service reports it as successful."}},
		{in: sectionTour, done: t.done.Resolved, open: m.openLost, Way: Way{key.Binding{}, nav.Collect{Sample: simpleCard}, "Lose an answer, resolve it", losing,
			"The sandbox takes the payment that you send next, but loses its answer. It knows the reference (f3), as a provider does. Ticked once you decide (d)."}},
		{in: sectionTour, done: t.done.Event, open: m.openEvents, Way: Way{key.Binding{}, nav.Inbox{}, "See a webhook arrive", "enter shows one",
			"The sandbox sends one for each payment that ends. Enter opens the inbox (5), with a sample if none has come yet. Ticked once you have seen one."}},
	}
}

// readTour reads what has happened.
func (m *Model) readTour() tea.Cmd {
	t := m.options.Tour
	if t == nil || t.Read == nil || t.away || t.done.all() {
		return nil
	}
	return m.touring.Then(m.toured).Ask(m.Scope, t.Read)
}

func (m *Model) toured(a ui.Result[Toured]) tea.Cmd {
	if a.Err == nil {
		t := m.options.Tour
		t.done = t.done.or(a.Value)
		m.list(m.mark())
	}
	return nil
}

// openEvents has the sandbox send an event where none has arrived. The inbox says what is wrong where that fails.
func (m *Model) openEvents(to nav.Route) tea.Cmd {
	t := m.options.Tour
	return m.arming.Then(func(ui.Result[struct{}]) tea.Cmd { return nav.Open(to) }).
		Ask(m.Scope, func(ctx context.Context) (struct{}, error) { return struct{}{}, t.SendEvent(ctx) })
}

// lost returns the payment whose answer is lost. The sandbox lists no links, so that f3 would not find the one of a link.
func (m *Model) lost() (ledger.ID, bool) {
	at := slices.IndexFunc(m.entries, func(l listing) bool { return l.IsUnresolved() && l.Kind == ledger.Initiate && l.ID != "" })
	if at < 0 {
		return "", false
	}
	return m.entries[at].ID, true
}

// openLost has the sandbox lose the next answer, and opens the payment whose answer that is. Where one is lost already, it
// opens that attempt instead.
func (m *Model) openLost(to nav.Route) tea.Cmd {
	if id, lost := m.lost(); lost {
		return nav.Open(nav.Attempt{ID: id})
	}
	t := m.options.Tour
	return m.arming.Then(func(a ui.Result[struct{}]) tea.Cmd {
		if a.Err != nil {
			return m.Warn("The sandbox cannot lose an answer now. Open its screen (f3), and arm a fault there (F).")
		}
		t.armed = true
		return nav.Open(to)
	}).Ask(m.Scope, func(ctx context.Context) (struct{}, error) { return struct{}{}, t.LoseAnswer(ctx) })
}

// keepAnswers takes that back when home is on top again: a payment that is sent later is no part of the tour.
func (m *Model) keepAnswers() tea.Cmd {
	t := m.options.Tour
	if t == nil || !t.armed {
		return nil
	}
	t.armed = false
	return m.arming.Then(func(ui.Result[struct{}]) tea.Cmd { return nil }).
		Ask(m.Scope, func(ctx context.Context) (struct{}, error) { return struct{}{}, t.KeepAnswers(ctx) })
}

// canPutAway reports whether all lines are ticked, and still there.
func (m *Model) canPutAway() bool {
	return len(m.items) > m.lead && m.items[m.lead].in == sectionTour && m.options.Tour.done.all()
}
