package transactions

import (
	"paydesk/screens/report"
	"paydesk/ui"
)

// listWidth has room for a whole UUID beside the other columns; in a window without that room the ID is below the
// list.
const listWidth = 77

// wasWidth is that of the status in the earlier scan, with what is between two columns.
const wasWidth = 16

// listWidth is that of the list as it is.
func (m *Model) listWidth() int {
	if m.asked() != "" {
		return listWidth + wasWidth
	}
	return listWidth
}

// setRows fills the table.
func (m *Model) setRows() {
	changed := m.long != nil && m.asked() != ""
	columns := report.Drawn(report.Transactions(changed), report.Screen)
	m.table.SetColumns(report.Heads(columns, report.Screen)...)
	m.table.SetRows(m.rows.Len(), func(i int) []ui.Cell {
		row, is := m.rows.At(i)
		if !is { // it is not in memory yet
			return []ui.Cell{{Text: report.Awaited}}
		}
		l := m.listed(row)
		if changed {
			l.Since = m.scanned().window.known[row.ID.Line(0)]
		}
		return report.Cells(columns, l, report.Screen)
	})
}

// fill shows the rows of the page, or those that the filter finds.
func (m *Model) fill() {
	switch {
	case m.long != nil:
		m.setRows()
		m.layout()
		return
	case m.filter.Active():
		m.find()
	case m.shown != nil:
		m.rows = loadedRows(m.shown.Rows)
	default:
		m.rows = loadedRows(nil)
	}
	m.setRows()
	m.table.Within(m.place())
	m.layout()
}

// place is how many rows are before those in the table, and how many there are in all, as far as the service said
// it.
func (m *Model) place() (before, whole int) {
	if m.shown == nil || m.filter.Active() || !m.cache.latest.HasMeta {
		return 0, 0
	}
	return m.shown.firstRow(), m.cache.latest.Meta.Total
}
