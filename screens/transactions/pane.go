package transactions

import (
	"slices"

	"paydesk/api/listing"
	"paydesk/screens/report"
	"paydesk/ui"
)

const (
	indent = "  "
	// aboveTotals are the lines that the pane keeps for the row and its object before it has totals, so that these stay where they are
	// from row to row.
	aboveTotals = 30
)

// report returns what is known of a row, with so many lines of its object at most.
func (m *Model) report(l listing.Listed, object int) report.Report {
	return report.OfTransaction(l, m.madeHere(l.Transaction), m.state.Began, object)
}

// pane says what a row is, beside the list or below it.
func (m *Model) pane(l listing.Listed, w, h int) []string {
	if !m.Beside() {
		return m.preview(l, w, h)
	}
	totals := m.totals.belowLines(w, min(h, m.H)-aboveTotals)
	room := max(h-len(totals), 0)
	lines := m.report(l, room).Pane(m.Theme, w, room)
	for len(lines) < min(h, m.H)-len(totals) { // h is more where the pane is scrolled
		lines = append(lines, "")
	}
	return append(lines[:min(len(lines), room)], totals...)
}

// preview is a row in the few lines below the list: what the list has no room for.
func (m *Model) preview(l listing.Listed, w, h int) []string {
	if h == 1 { // under the rows, without a rule
		return ui.Indented(m.Theme.FactLines("ID", l.ID.Line(80), len("ID")+2, w-len(indent)))
	}
	r := m.report(l, 1)
	r.Amount, r.Status = "", ui.Cell{} // the row above has both
	if row := &r.Sections[0]; m.hasIDs(w) {
		row.Facts = slices.DeleteFunc(row.Facts, func(f report.Fact) bool { return f.Label == "ID" })
	}
	return r.Preview(m.Theme, r.Brief, w, h)
}
