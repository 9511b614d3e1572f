package transactions

import (
	"strings"

	"paydesk/api"
	"paydesk/screens/present"
	"paydesk/ui"
)

const (
	amountWidth = 15
	// places is the cells of the point and the decimals of the currency with the most, so
	// that the points of all amounts stand in line.
	decimalCells = 5
	// asterisk marks an amount that is shown as it came; the footnote says why.
	rawMark = "*"
)

// columns are the table's; beside them a UUID has room for its 36 characters at 80×24. The status comes first, left of anything the service wrote
// (R8). Without a word of its own it has only the console's words in it.
func columns() []ui.Column {
	return []ui.Column{
		{Title: "Status", Width: 14},
		{Title: "Amount" + strings.Repeat(" ", decimalCells), Width: amountWidth, Right: true},
		{Title: "Cur.", Width: 4},
		{Title: "Id", Width: 8, Grow: true},
		{Title: "Status as it came", Width: 30, Drop: 1},
	}
}

// cells are one row of the table.
func cells(r api.Row) []ui.Cell {
	return []ui.Cell{
		{Text: short(r.Status), Tone: present.Tone(r.Status)},
		{Text: amountText(r)},
		{Text: r.Currency.Line(8)},
		{Text: r.ID.Line(80)},
		{Text: r.Status.Text.Line(30)},
	}
}

// word is the console's own word for a status, never the service's.
func word(s api.Status) string {
	if s.State == api.Unrecognised {
		return "UNRECOGNISED"
	}
	return present.Word(s)
}

// short is that word in the room of the table's column.
func short(s api.Status) string {
	switch s.State {
	case api.ActionRequired:
		return "MUST PAY"
	case api.BankAuthRequired:
		return "BANK CHECK"
	}
	return word(s)
}

// amountText is the amount with its point in line with the others; as it came, with the
// asterisk, when it cannot be told in major units (R33).
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
	return "enter shows it" // never a part of an amount
}

// alignPoint puts what follows the point where it stands in every row.
func alignPoint(left, right string) string {
	return left + right + strings.Repeat(" ", max(decimalCells-len(right), 0))
}

// fill puts the rows to be seen into the table: the page, or what the filter finds.
func (m *Model) fill() {
	switch {
	case m.filter.active():
		m.rows = m.filter.find(m.cache.loaded())
	case m.shown != nil:
		m.rows = m.shown.rows
	default:
		m.rows = nil
	}
	rows := m.rows
	m.table.SetRows(len(rows), func(i int) []ui.Cell { return cells(rows[i]) })
	m.layout()
}

// hasRaw reports whether a row in the table has an asterisk.
func (m *Model) hasRaw() bool {
	for _, r := range m.rows {
		if !r.Known {
			return true
		}
	}
	return false
}

// searchable is what a filter looks in: id, status, currency and amount, in every form that
// is on the screen.
func searchable(r api.Row) string {
	parts := []string{r.ID.Line(0), present.Word(r.Status), word(r.Status), short(r.Status), r.Status.Text.Line(0), r.Currency.Line(0), r.Raw.Line(0)}
	if r.Known {
		parts = append(parts, r.Amount.Grouped(), r.Amount.Major())
	}
	return strings.ToLower(strings.Join(parts, "\n"))
}
