package activity

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"paydesk/api/journal"
	"paydesk/ui"
)

// minRows is the least number of rows read at a time.
const minRows = 200

// A window is a run of the rows, and how many there are in all.
type window struct {
	from     int
	rows     []journal.Attempt
	total    int
	at       time.Time
	criteria criteria // it was read with
}

// covers reports whether the rows from first to last are in the window, or do not exist.
func (r *window) covers(first, last int) bool {
	return max(first, 0) >= r.from && min(last, r.total) <= r.from+len(r.rows)
}

// A list is the table and the window it shows.
type list struct {
	table     *ui.Table
	window    window
	loaded    bool // something was read
	problem   string
	call      ui.Call[window]
	requested [2]int // the first row requested, and the one after the last
	reselect  journal.ID
	stale     bool // it must be reloaded
}

// newList makes the table; everywhere adds the column of the profile.
func newList(t *ui.Theme, everywhere bool) list {
	return list{table: ui.NewTable(t, columns(everywhere)...)}
}

// selected is the attempt under the cursor, if it has been read.
func (m *Model) selected() (journal.Attempt, bool) {
	i := m.list.table.Selected() - m.list.window.from
	if i < 0 || i >= len(m.list.window.rows) {
		return journal.Attempt{}, false
	}
	return m.list.window.rows[i], true
}

// windowSize is how many rows are read at a time: several screens of them.
func (m *Model) windowSize() int { return max(minRows, 4*m.H) }

// readAround reads the rows around one.
func (m *Model) readAround(around int) tea.Cmd {
	n := m.windowSize()
	from := max(around-n/2, 0)
	m.list.requested = [2]int{from, from + n}
	m.list.stale = false
	j, chosen := m.options.Journal, m.filter.criteria()
	return m.list.call.Then(m.receiveRows).Ask(m.Scope, func(ctx context.Context) (window, error) {
		now := time.Now()
		rows, total, err := j.Attempts(ctx, chosen.filter(now), from, n)
		return window{from: from, rows: rows, total: total, at: now, criteria: chosen}, err
	})
}

// follow reads more rows before the selection reaches the end of the window.
func (m *Model) follow() tea.Cmd {
	at, near := m.list.table.Selected(), m.windowSize()/4
	first, last := max(at-near, 0), min(at+near, m.list.window.total)
	switch {
	case m.list.window.covers(first, last):
		return nil
	case m.list.call.Pending() && first >= m.list.requested[0] && last <= m.list.requested[1]:
		return nil // requested already
	}
	return m.readAround(at)
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
	l.window, l.loaded, l.problem = a.Value, true, ""
	total := l.window.total
	if len(l.window.rows) == 0 && total > 0 {
		l.table.Select(total - 1)
		return m.readAround(total - 1)
	}
	l.table.SetRows(total, m.row)
	for i, r := range l.window.rows {
		if r.ID == l.reselect {
			l.table.Select(l.window.from + i)
		}
	}
	l.reselect = ""
	m.layout()
	return m.follow()
}

// row is one row of the table; one that is not read yet is an ellipsis, for a moment.
func (m *Model) row(i int) []ui.Cell {
	r := &m.list.window
	if i -= r.from; i < 0 || i >= len(r.rows) {
		return []ui.Cell{{Text: "…"}}
	}
	return cells(r.rows[i], m.options.Here(), r.at)
}
