package transactions

import "paydesk/api"

// A source is what the table lists: the rows of the page shown, those that a filter found in the loaded pages, or those
// that a scan has read. There may be a million, of which only the visible ones are looked at.
type source interface {
	Len() int
	At(i int) api.Row
}

// loadedRows are rows of pages, with their objects.
type loadedRows []api.Row

func (r loadedRows) Len() int         { return len(r) }
func (r loadedRows) At(i int) api.Row { return r[i] }

// index is the first of a few rows for which is holds, -1 for none.
func index(rows source, is func(api.Row) bool) int {
	for i := range rows.Len() {
		if is(rows.At(i)) {
			return i
		}
	}
	return -1
}

// selected is the marked row; ok is false when none is.
func (m *Model) selected() (row api.Row, ok bool) {
	if i := m.table.Selected(); i >= 0 && i < m.rows.Len() {
		return m.rows.At(i), true
	}
	return row, false
}
