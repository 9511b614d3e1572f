package transactions

import (
	"slices"
	"strings"

	"paydesk/api"
	"paydesk/api/listing"
	"paydesk/screens/present"
	"paydesk/ui"
)

const (
	amountWidth = 14
	// decimalCells are those of the point and the decimals of the currency with the most, so that
	// the points of all amounts are aligned.
	decimalCells = 5
	// rawMark follows an amount that is shown raw; the footnote says why.
	rawMark = "*"
	// rawMeans is that footnote.
	rawMeans = rawMark + " raw minor units: the amount in major units is unknown"
)

// listWidth has room for a whole UUID beside the other columns; in a window without that room the ID is below the
// list.
const listWidth = 77

// listWidth is that of the list as it is.
func (m *Model) listWidth() int {
	if m.asked() != "" {
		return listWidth + wasWidth + 2
	}
	return listWidth
}

// columns are the table's. The status is left of anything the service wrote, and only in the console's words, so
// that no text of the service can pass for one.
// In a list of what changed the status that was is beside the one that is.
func columns(changed bool) []ui.Column {
	all := []ui.Column{
		{Title: "Status", Width: 14},
		{Title: "Amount" + strings.Repeat(" ", decimalCells), Width: amountWidth, Right: true},
		{Title: "Cur", Width: 3},
		{Title: "ID", Width: 36, Drop: 1},
		{Title: "Raw status if different", Width: 30, Drop: 2},
	}
	if changed {
		return slices.Insert(all, 1, ui.Column{Title: "Was", Width: wasWidth})
	}
	return all
}

// wasWidth has room for a status in the console's words.
const wasWidth = 14

// cellsAt are one row of the table, which may not be in memory yet.
func (m *Model) cellsAt(i int) []ui.Cell {
	row, is := m.rows.At(i)
	switch {
	case !is:
		return []ui.Cell{{Text: lookingUp}}
	case m.asked() == "":
		return m.cells(row)
	}
	k := m.scanned().window.known[row.ID.Line(0)]
	cells := slices.Insert(m.cells(row), 1, ui.Cell{Text: present.ChangedFrom(k.How, k.Was)})
	if k.How == listing.Gone {
		cells[0] = ui.Cell{Text: "gone"}
	}
	return cells
}

// rawStatus is the service's own word where it is another than the status column's, so that no word stands
// twice in a row. A status that is not recognised always shows it: without one, the service sent none.
func rawStatus(s api.Status) string {
	raw := s.Text.Line(20)
	if s.State != api.Unrecognised && raw == present.ShortStatus(s) {
		return ""
	}
	return raw
}

// cells are one row of the table.
func (m *Model) cells(r api.Row) []ui.Cell {
	return []ui.Cell{
		m.status(r),
		{Text: amountText(r)},
		{Text: r.Currency.Line(8)},
		{Text: r.ID.Line(80)},
		{Text: rawStatus(r.Status)},
	}
}

// amountText is the amount with its point aligned with the others; the raw number with a mark,
// when the amount in major units is not known exactly.
func amountText(r api.Row) string {
	if !r.Known {
		return alignPoint(r.Raw.Line(amountWidth-decimalCells), rawMark)
	}
	whole := r.Amount.Grouped()
	left, decimals, point := strings.Cut(whole, ".")
	if point {
		decimals = "." + decimals
	}
	switch {
	case len(left)+decimalCells <= amountWidth:
		return alignPoint(left, decimals)
	case len(whole) <= amountWidth:
		return whole
	case len(r.Amount.Major()) <= amountWidth:
		return r.Amount.Major()
	}
	return "see details" // part of an amount would be another amount
}

// alignPoint puts what follows the point at the same place in every row.
func alignPoint(left, right string) string {
	return left + right + strings.Repeat(" ", max(decimalCells-len(right), 0))
}

// fill shows the rows of the page, or those that the filter finds.
func (m *Model) fill() {
	switch {
	case m.long != nil:
		m.table.SetColumns(columns(m.asked() != "")...)
		m.table.SetRows(m.rows.Len(), m.cellsAt)
		m.layout()
		return
	case m.filter.Active():
		m.find()
	case m.shown != nil:
		m.rows = loadedRows(m.shown.Rows)
	default:
		m.rows = loadedRows(nil)
	}
	m.table.SetColumns(columns(false)...)
	m.table.SetRows(m.rows.Len(), m.cellsAt)
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
