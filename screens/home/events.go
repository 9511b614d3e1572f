package home

import (
	"context"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/ui"
)

const (
	betweenEvents = time.Second     // however fast they arrive
	eventsAfter   = 5 * time.Second // until a store that failed is read again
	disagreeQuery = "verdict:disagrees"
)

// A Disagreement tells how many events the service contradicts, as of a version of what is stored.
type Disagreement struct {
	N       int
	Version uint64
}

// countEvents waits for a while, then until the events have changed, and counts them.
func (m *Model) countEvents(after time.Duration) tea.Cmd {
	disagree, version := m.options.Disagree, m.events.Version
	if disagree == nil {
		return nil
	}
	return m.counting.Then(m.counted).Ask(m.Scope, func(ctx context.Context) (Disagreement, error) {
		select {
		case <-time.After(after):
		case <-ctx.Done():
			return Disagreement{}, ctx.Err()
		}
		return disagree(ctx, version)
	})
}

// counted shows how many there are. The inbox says what is wrong with its store.
func (m *Model) counted(a ui.Result[Disagreement]) tea.Cmd {
	if a.Err != nil {
		return m.countEvents(eventsAfter)
	}
	m.setDisagree(a.Value)
	return tea.Batch(m.readTour(), m.countEvents(betweenEvents))
}

// setDisagree adds the way to those events, or takes it away. The mark stays on its way.
func (m *Model) setDisagree(now Disagreement) {
	was, n, at := m.events.N, now.N, m.menuItem-len(m.steps())
	m.events = now
	switch {
	case (was > 0) == (n > 0):
	case at >= 0 && n > 0 && m.touched:
		m.menuItem, m.shownItem = m.menuItem+1, m.shownItem+1
	case at > 0 && n == 0:
		m.menuItem, m.shownItem = m.menuItem-1, max(m.shownItem-1, 0)
	}
	m.layout()
}

// ways lists the lines of the tour, the events that need a person, what begins something, and the rooms.
func (m *Model) ways() (all []Way) {
	for _, s := range m.steps() {
		all = append(all, s.Way)
	}
	if m.events.N > 0 {
		all = append(all, Way{
			To: nav.Inbox{Query: disagreeQuery}, Name: present.Count(m.events.N, "event disagrees", "events disagree"), About: "the service says otherwise",
			More: "Webhooks claim something other than the service answers. Only its answer counts: check before anyone acts on them.",
		})
	}
	return slices.Concat(all, Begin, m.options.Rooms())
}

// needs reports whether a way leads to events that need a person. Only enter opens them.
func (w Way) needs() bool { return w.To == nav.Route(nav.Inbox{Query: disagreeQuery}) }

// first returns how many of the ways are shown in any window.
func (m *Model) first() int {
	if m.events.N > 0 {
		return len(Begin) + 1
	}
	return len(Begin)
}
