package list

import "time"

// Midnight is the start of the day that is back days before now.
func Midnight(now time.Time, back int) time.Time {
	return time.Date(now.Year(), now.Month(), now.Day()-back, 0, 0, 0, 0, now.Location())
}

// day is the day of a row, in the local time zone; false before the row was read.
func (m *Model[R]) day(i int) (time.Time, bool) {
	r, read := m.rows.Row(i)
	if !read {
		return time.Time{}, false
	}
	return Midnight(m.of.Day(r).Local(), 0), true
}

// group is the day of a row, for the rule above its rows.
func (m *Model[R]) group(i int) (title, note string) {
	day, read := m.day(i)
	if !read {
		return "", ""
	}
	if m.of.DayNote != nil {
		note = m.of.DayNote(day)
	}
	title = day.Format("2 Jan 2006")
	switch today := Midnight(m.read.at.Local(), 0); {
	case day.Equal(today):
		title += ", today"
	case day.Equal(Midnight(today, 1)):
		title += ", yesterday"
	}
	return title, note
}

// sameGroup reports whether a row is of the day of the one before it.
func (m *Model[R]) sameGroup(i int) bool {
	a, read := m.day(i)
	b, before := m.day(i - 1)
	return read == before && a.Equal(b)
}
