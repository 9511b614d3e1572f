package home

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

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
	m.events = a.Value
	m.list(m.mark())
	return tea.Batch(m.readTour(), m.countEvents(betweenEvents))
}
