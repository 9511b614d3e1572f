package activity

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"paydesk/api/journal"
	"paydesk/ui"
)

// least is how many rows are read at a time, at the least.
const least = 200

// A reading is a stretch of the rows, and how many there are in all.
type reading struct {
	from  int
	rows  []journal.Attempt
	total int
	at    time.Time
	to    reach // the filter it was read with
}

// has reports whether the rows from first to last are read, or are none.
func (r *reading) has(first, last int) bool {
	return max(first, 0) >= r.from && min(last, r.total) <= r.from+len(r.rows)
}

// A list is the table and what is read of its rows.
type list struct {
	table   *ui.Table
	read    reading
	known   bool // something was read
	trouble string
	call    ui.Call[reading]
	asked   [2]int // the rows asked for
	keep    journal.ID
	stale   bool // it must be read anew
}

func newList(t *ui.Theme, everywhere bool) list {
	return list{table: ui.NewTable(t, columns(everywhere)...)}
}

// selected is the attempt under the mark, where it is read.
func (m *Model) selected() (journal.Attempt, bool) {
	i := m.list.table.Selected() - m.list.read.from
	if i < 0 || i >= len(m.list.read.rows) {
		return journal.Attempt{}, false
	}
	return m.list.read.rows[i], true
}

// size is how many rows are read at a time: several times what is in sight.
func (m *Model) size() int { return max(least, 4*m.h) }

// read asks for the rows around one.
func (m *Model) read(around int) tea.Cmd {
	n := m.size()
	from := max(around-n/2, 0)
	m.list.asked = [2]int{from, from + n}
	m.list.stale = false
	book, to := m.options.Book, m.filter.reach()
	return m.list.call.Ask(m.scope, func(ctx context.Context) (reading, error) {
		now := time.Now()
		rows, total, err := book.Attempts(ctx, to.filter(now), from, n)
		return reading{from: from, rows: rows, total: total, at: now, to: to}, err
	})
}

// follow asks for rows before the selection comes to the end of what is read.
func (m *Model) follow() tea.Cmd {
	at, near := m.list.table.Selected(), m.size()/4
	first, last := max(at-near, 0), min(at+near, m.list.read.total)
	switch {
	case m.list.read.has(first, last):
		return nil
	case m.list.call.Pending() && first >= m.list.asked[0] && last <= m.list.asked[1]:
		return nil // they are on their way
	}
	return m.read(at)
}

// refresh reads the rows anew and keeps the selected attempt selected.
func (m *Model) refresh() tea.Cmd {
	if a, ok := m.selected(); ok {
		m.list.keep = a.ID
	}
	return tea.Batch(m.read(max(m.list.table.Selected(), 0)), m.readChoices())
}

// refilter reads the rows of another filter, from the first.
func (m *Model) refilter() tea.Cmd {
	m.list.keep = ""
	m.list.table.Select(0)
	m.layout()
	return m.read(0)
}

// took puts rows into the table. When the list has become shorter than where they were asked
// for, its end is asked for.
func (m *Model) took(a ui.Result[reading]) tea.Cmd {
	l := &m.list
	if a.Err != nil {
		l.trouble = words(a.Err)
		m.layout()
		return nil
	}
	l.read, l.known, l.trouble = a.Value, true, ""
	total := l.read.total
	if len(l.read.rows) == 0 && total > 0 {
		l.table.Select(total - 1)
		return m.read(total - 1)
	}
	l.table.SetRows(total, m.row)
	for i, r := range l.read.rows {
		if r.ID == l.keep {
			l.table.Select(l.read.from + i)
		}
	}
	l.keep = ""
	m.layout()
	return m.follow()
}

// row is one row of the table; one that is not read yet is a mark, for a moment.
func (m *Model) row(i int) []ui.Cell {
	r := &m.list.read
	if i -= r.from; i < 0 || i >= len(r.rows) {
		return []ui.Cell{{Text: "…"}}
	}
	return cells(r.rows[i], r.at)
}
