package transactions

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
)

const (
	minPerPage = 20
	maxPerPage = 100
	// settled is how long a window keeps its size before pages of that size are requested: one that is dragged
	// changes it with every row.
	settled = 300 * time.Millisecond
	// aroundRows are the lines of the list besides its rows: the position, what there is to say, the titles and
	// the counts.
	aroundRows = 4
)

// fitting is how many rows a page has in this window.
func (m *Model) fitting() int {
	if m.H == 0 {
		return api.DefaultPerPage
	}
	_, h := m.panes.ListSize()
	return min(max(h-aroundRows, minPerPage), maxPerPage)
}

// resized is sent when a window has kept its size for a moment.
type resized struct{}

// Resized implements [ui.Resizer].
func (m *Model) Resized() tea.Cmd {
	return m.sized.After(m.Scope, settled, resized{})
}

// refit reads the page of the marked row with as many rows as fit now. Rows that a filter searches stay as they are,
// and so do those of a list that is on one page either way.
func (m *Model) refit() tea.Cmd {
	s, per := m.shown, m.fitting()
	switch {
	case m.long != nil:
		return m.askAboutVisible() // a larger window has more rows
	case s == nil || m.filter.Active() || m.goTo != nil || m.problem != nil:
		return nil
	case m.pending > 0:
		return m.Resized()
	case per == m.cache.per || len(s.Rows) <= per && s.HasMeta && s.Meta.Total == len(s.Rows):
		return nil
	}
	return m.repage()
}
