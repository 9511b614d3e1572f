package transactions

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/listing"
	"paydesk/ui"
)

// A source is what the table lists: the rows of the page shown, those that a filter found in the loaded pages, or those
// that a scan has read. There may be a million, of which those around the visible ones are in memory.
type source interface {
	Len() int
	// At is a row; is is false for one that is not in memory yet.
	At(i int) (row api.Transaction, is bool)
}

// loadedRows are rows of pages, with their objects.
type loadedRows []api.Transaction

func (r loadedRows) Len() int                         { return len(r) }
func (r loadedRows) At(i int) (api.Transaction, bool) { return r[i], true }

// scannedRows are rows that a scan has read: those that were found, or the first n.
type scannedRows struct {
	rows   *listing.Rows
	n      int
	found  []int32 // nil for the first n
	window window
}

// A window is the rows that are in memory, from one on, and what is known of them since the scan that is asked about.
type window struct {
	from  int
	rows  []api.Transaction
	known map[string]listing.Known
}

func (s scannedRows) Len() int { return s.n }

func (s scannedRows) At(i int) (row api.Transaction, is bool) {
	if i -= s.window.from; i < 0 || i >= len(s.window.rows) {
		return row, false
	}
	return s.window.rows[i], true
}

// place is where a row is in the list that was read.
func (s scannedRows) place(i int) int {
	if s.found != nil {
		return int(s.found[i])
	}
	return i
}

// has reports whether some rows are in memory.
func (s scannedRows) has(from, to int) bool {
	return from >= s.window.from && min(to, s.n) <= s.window.from+len(s.window.rows)
}

// around are the rows above the visible ones and below them that are read with them.
const around = 200

// read reads the rows around some, and what is known of them since a scan; "" for none.
func (s scannedRows) read(ctx context.Context, from, to int, asked string) (w window, err error) {
	w.from = max(from-around, 0)
	var places []int32
	for i := w.from; i < min(to+around, s.n); i++ {
		places = append(places, int32(s.place(i)))
	}
	if w.rows, err = s.rows.At(ctx, places...); err != nil || asked == "" {
		return w, err
	}
	ids := make([]string, len(w.rows))
	for i, row := range w.rows {
		ids[i] = row.ID.Line(0)
	}
	w.known, err = s.rows.KnownOf(ctx, asked, ids...)
	return w, err
}

// readVisible reads the visible rows, and those around them, where they are not in memory. nil where they are.
func (m *Model) readVisible() tea.Cmd {
	l, listed := m.long, m.scanned()
	from, to := m.table.Visible()
	to = max(to, min(from+1, listed.n)) // also before the window has a size
	if l == nil || from >= to || listed.has(from, to) {
		return nil
	}
	asked := m.asked()
	return l.window.Then(func(a ui.Result[window]) tea.Cmd {
		now := m.scanned()
		if m.long != l || a.Err != nil || now.rows != listed.rows || len(now.found) != len(listed.found) || (now.found == nil) != (listed.found == nil) {
			return nil
		}
		now.window = a.Value
		m.rows = now
		m.fill()
		return tea.Batch(m.askAboutVisible(), m.readMade())
	}).Ask(m.Scope, func(ctx context.Context) (window, error) { return listed.read(ctx, from, to, asked) })
}

// scanned are the rows that are listed of a scan.
func (m *Model) scanned() scannedRows {
	rows, _ := m.rows.(scannedRows)
	return rows
}

// index is the first of a few rows for which is holds, -1 for none.
func index(rows source, is func(api.Transaction) bool) int {
	for i := range rows.Len() {
		if row, loaded := rows.At(i); loaded && is(row) {
			return i
		}
	}
	return -1
}

// selected is the marked row; ok is false when none is.
func (m *Model) selected() (row api.Transaction, ok bool) {
	if i := m.table.Selected(); i >= 0 && i < m.rows.Len() {
		return m.rows.At(i)
	}
	return row, false
}
