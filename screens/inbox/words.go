package inbox

import (
	"time"

	"paydesk/screens/report"
	"paydesk/ui"
)

// setRows fills the table.
func (m *Model) setRows() {
	l, columns := &m.list, report.Drawn(report.Events(nil, m.Scope.Now()), report.Screen)
	l.table.SetRows(len(l.rows), func(i int) []ui.Cell { return report.Cells(columns, l.rows[i].Record, report.Screen) })
}

// group is the day of a row, for the rule above its rows.
func (m *Model) group(i int) (title, note string) {
	now := m.Scope.Now()
	day, today := m.list.rows[i].Last.Local(), now.Local()
	switch title = day.Format("2 Jan 2006"); title {
	case today.Format("2 Jan 2006"):
		title += ", today"
	case time.Date(today.Year(), today.Month(), today.Day()-1, 0, 0, 0, 0, today.Location()).Format("2 Jan 2006"):
		title += ", yesterday"
	}
	return title, ""
}

// sameGroup reports whether a row is of the day of the one before it.
func (m *Model) sameGroup(i int) bool {
	a, b := m.list.rows[i].Last.Local(), m.list.rows[i-1].Last.Local()
	return a.Year() == b.Year() && a.YearDay() == b.YearDay()
}
