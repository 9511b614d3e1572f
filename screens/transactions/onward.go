package transactions

import (
	"fmt"
	"math"

	tea "charm.land/bubbletea/v2"
)

// goOn moves the selection past the last row (1) or the first (-1), onto the page after or before.
// A key that is held asks for one page at a time, and not again for one that failed: r does that.
func (m *Model) goOn(by int) tea.Cmd {
	empty := m.filter.Active() && m.rows.Len() == 0 // then there is no row to move on from
	if m.shown == nil || m.pending > 0 || m.reloading != nil || m.problem != nil || empty {
		return nil
	}
	n := m.shown.number + by
	if loaded := m.cache.numbers(); m.filter.Active() && len(loaded) > 0 {
		if n = loaded[0] - 1; by > 0 {
			n = loaded[len(loaded)-1] + 1
		}
		if len(loaded) == maxCached { // another page would push out rows that the filter has found
			return m.Notify(fmt.Sprintf("The filter searches at most %d pages.", maxCached))
		}
	}
	if why := m.cache.whyNot(n); why != "" {
		return m.Notify(why)
	}
	m.onward = by
	return m.goToPage(n)
}

// arrive fills the table with the page that the selection goes on to, and selects the row next to the
// one it left. A filter that found nothing more leaves it where it was.
func (m *Model) arrive() {
	by := m.onward
	m.onward, m.selectRow = 0, -1
	_, stood := m.selected()
	switch {
	case m.filter.Active() && stood:
		m.fillAgain()
		m.table.Select(m.table.Selected() + by)
	case by > 0:
		m.fill()
		m.table.Select(0)
	default:
		m.fill()
		m.table.Select(math.MaxInt)
	}
}
