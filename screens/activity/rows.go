package activity

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/screens/report"
	"paydesk/ui"
)

// minRows is the least number of rows read at a time.
const minRows = 200

// A window is a run of the rows, and how many were found.
type window struct {
	journal.Page[ledger.Attempt]
	at       time.Time
	criteria criteria       // it was read with
	filter   journal.Filter // the criteria, with the days counted from when the search began
	days     map[time.Time]dayCount
}

// A list is the table and the window it shows.
type list struct {
	table     *ui.Table
	window    window
	loaded    bool // something was read
	problem   string
	call      ui.Call[window]
	requested [2]int // the first row requested, and the one after the last
	reselect  ledger.ID
	stale     bool // it must be reloaded
	// place tells when the attempt to select was sent, where its row is not known: the filter was cleared. Zero else.
	place time.Time
}

// selected is the attempt under the cursor, if it has been read.
func (m *Model) selected() (ledger.Attempt, bool) {
	return m.list.window.Row(m.list.table.Selected())
}

// windowSize returns how many rows are read at a time: several screens of them.
func (m *Model) windowSize() int { return max(minRows, 4*m.H) }

// readAround reads the rows around one, in a new search.
func (m *Model) readAround(around int) tea.Cmd { return m.readOn(around, journal.Search{}) }

// readOn reads the rows around one, and searches on where there are not enough yet.
func (m *Model) readOn(around int, s journal.Search) tea.Cmd {
	n := m.windowSize()
	from := max(around-n/2, 0)
	m.list.requested = [2]int{from, from + n}
	m.list.stale = false
	j, chosen := m.options.Journal, m.filter.criteria()
	if chosen != m.list.window.criteria {
		s = journal.Search{} // that was another one's
	}
	asked := m.list.window.filter // every step of a search has the days of its first
	if s.IsZero() {
		asked = m.filter.journal()
	}
	place := m.list.place
	m.list.place = time.Time{}
	began := m.list.window.at
	return m.list.call.Then(m.receiveRows).Timed(ui.NoLimit).Ask(m.Scope, func(ctx context.Context) (window, error) {
		now := began
		if s.IsZero() {
			now = time.Now()
		}
		if !place.IsZero() {
			newer := asked
			newer.From = place
			if found, err := j.Find(ctx, newer, journal.Search{}, 0, 0); err == nil {
				from = max(found.Count-1-n/2, 0)
			}
		}
		page, err := j.Find(ctx, asked, s, from, n)
		w := window{Page: page, at: now, criteria: chosen, filter: asked}
		if err == nil {
			w.days, err = countByDay(ctx, j, asked, &page)
		}
		return w, err
	})
}

// follow reads more rows before the selection reaches the end of the window.
func (m *Model) follow() tea.Cmd {
	at, near := m.list.table.Selected(), m.windowSize()/4
	first, last := at-near, at+near
	switch {
	case m.list.window.Covers(first, last):
		return nil
	case m.list.call.Pending() && max(first, 0) >= m.list.requested[0] && last <= m.list.requested[1]:
		return nil // requested already
	}
	return m.readOn(at, m.list.window.Search)
}

// refresh reloads the rows and keeps the selected attempt selected.
func (m *Model) refresh() tea.Cmd {
	if a, ok := m.selected(); ok {
		m.list.reselect = a.ID
	}
	return tea.Batch(m.readAround(max(m.list.table.Selected(), 0)), m.readChoices())
}

// refilter reads the rows of a changed filter, from the first.
func (m *Model) refilter() tea.Cmd {
	m.list.reselect = ""
	m.list.table.Select(0)
	m.layout()
	return m.readAround(0)
}

// receiveRows fills the table. When the list has become shorter than the rows requested, its
// end is read instead.
func (m *Model) receiveRows(a ui.Result[window]) tea.Cmd {
	l := &m.list
	if a.Err != nil {
		l.problem = errorText(a.Err)
		m.layout()
		return nil
	}
	if now, ok := m.selected(); ok && l.reselect != "" && !l.window.Searching {
		l.reselect = now.ID // the cursor may have moved since the rows were requested
	}
	l.window, l.loaded, l.problem = a.Value, true, ""
	l.requested = [2]int{l.window.From, l.window.From + m.windowSize()}
	total := l.window.Count
	if len(l.window.Rows) == 0 && total > 0 && !l.window.Searching {
		l.table.Select(total - 1)
		return m.readOn(total-1, l.window.Search)
	}
	m.setRows()
	for i, r := range l.window.Rows {
		if r.ID == l.reselect {
			l.table.Select(l.window.From + i)
			l.reselect = ""
		}
	}
	if l.window.Searching {
		m.layout()
		return m.readOn(l.requested[0]+m.windowSize()/2, l.window.Search)
	}
	l.reselect = ""
	m.layout()
	if l.stale {
		return m.refresh()
	}
	return tea.Batch(m.follow(), m.readPane())
}

// setRows fills the table.
func (m *Model) setRows() {
	l, columns := &m.list, m.columns()
	l.table.SetRows(l.window.Count, func(i int) []ui.Cell {
		if a, read := l.window.Row(i); read {
			return report.Cells(columns, a, report.Screen)
		}
		return []ui.Cell{{Text: report.Awaited}} // for a moment
	})
}
