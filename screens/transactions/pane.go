package transactions

import (
	"paydesk/api"
	"paydesk/api/listing"
	"paydesk/screens/present"
	"paydesk/screens/report"
	"paydesk/ui"
)

const (
	labelWidth = 12 // that of every report
	indent     = "  "
	maxID      = 120 // cells; the object has it whole
	minObject  = 4   // lines of an object that are worth a part of the pane
	maxObject  = 12
	// factLines are those of most rows, and kept in any case, so that the object stays in its place from row to row.
	factLines = 13
	// aboveTotals are the lines that the pane keeps for the row and its object before it has totals, so that these stay where they are
	// from row to row.
	aboveTotals = 30
)

// pane says what a row is, beside the list or below it.
func (m *Model) pane(l listing.Listed, w, h int) []string {
	row := l.Transaction
	if !m.Beside() {
		return m.preview(l, w, h)
	}
	totals := m.totals.belowLines(w, min(h, m.H)-aboveTotals)
	lines := append(m.facts(l, w), m.alsoKnown(row, w)...)
	for h >= aboveTotals && len(lines) < factLines {
		lines = append(lines, "")
	}
	if room := h - len(lines) - len(totals) - 2; row.Object.Empty() {
		lines = append(append(lines, ""), m.Theme.MutedLines("The raw object of this row is not kept: enter reads it again. "+about(row), w)...)
	} else if room >= minObject {
		lines = append(append(lines, ""), m.object(row, w, room)...)
	}
	for len(lines) < min(h, m.H)-len(totals) { // h is more where the pane is scrolled
		lines = append(lines, "")
	}
	return append(lines[:min(len(lines), max(h-len(totals), 0))], totals...)
}

// preview is a row in the few lines below the list: first what the list has no room for.
func (m *Model) preview(l listing.Listed, w, h int) []string {
	var facts []string
	row := l.Transaction
	if !m.hasIDs(w) {
		facts = m.Theme.FactLines("ID", row.ID.Line(80), labelWidth, w-len(indent))
	}
	if h <= len(facts) { // under the rows, without a rule
		return ui.Indented(facts)
	}
	facts = append(facts, m.Theme.FactLines("Raw", rawWords(row), labelWidth, w)...)
	facts = append(facts, ui.Wrap(meaning(l), w)...)
	return append([]string{m.Theme.Rule("Transaction", m.madeNote(row), w)}, facts...)
}

// facts are a row without its object: how much and its status, what the service wrote, and what that means.
func (m *Model) facts(l listing.Listed, w int) []string {
	row := l.Transaction
	lines := []string{m.Theme.Rule("Transaction", "", w)}
	lines = append(lines, m.amountAndStatus(l, w)...)
	lines = append(lines, "")
	lines = append(lines, m.Theme.FactLines("ID", row.ID.Line(maxID), labelWidth, w)...)
	lines = append(lines, m.Theme.FactLines("Raw", rawWords(row), labelWidth, w)...)
	lines = append(lines, "")
	return append(lines, ui.Wrap(meaning(l), w)...)
}

// amountAndStatus are the amount, which stands out, and the status, on one line where there is room.
func (m *Model) amountAndStatus(l listing.Listed, w int) []string {
	row := l.Transaction
	amount := row.Raw.Line(24) + " minor units"
	if row.Known {
		amount = row.Amount.String()
	}
	cell := report.TransactionStatus(l, report.Screen)
	if cell.Text == present.ShortStatus(row.Status) {
		cell.Text = present.OwnWord(row.Status)
	}
	if p, here := m.madeHere(row); here {
		if tone, _, _ := m.stands(p, row); tone == ui.ToneMismatch {
			cell.Tone = tone
		}
	}
	const between = "   "
	chip := m.Theme.Chip(cell.Tone, cell.Text)
	if one := m.Theme.Strong.Render(amount) + between + chip; ui.Width(one) <= w {
		return []string{one}
	}
	return []string{m.Theme.Strong.Render(amount), chip}
}

// rawWords are the status and the amount as the service wrote them.
func rawWords(row api.Transaction) string {
	status := "no status"
	if !row.Status.Text.Empty() {
		status = "\"" + row.Status.Text.Line(40) + "\""
	}
	return status + " · " + row.Raw.Line(40) + " minor units · " + row.Currency.Line(20)
}

// meaning is what the status of a row means. What staff do about a payment follows from a check of it alone: a list may be
// behind that, and an ID may not be a payment reference.
func meaning(l listing.Listed) string {
	switch {
	case l.Differs:
		return "What a status check answered about it differs: l shows how."
	case l.Unchecked:
		return "The journal could not be read, so it is not known whether a status check answered something else: l checks it."
	}
	means, _ := l.Status.State.Meaning(api.Circumstances{})
	return means + " The list says so; l checks the payment."
}

// about is what is known of an ID as a reference: the specification does not say that it is one.
func about(row api.Transaction) string {
	if _, ok := reference(row); ok {
		return "This ID may not be a payment reference: l looks it up, a opens its bank check."
	}
	return "This ID cannot be a payment reference."
}

// object is the raw object of a row in at most h lines, and what its ID is.
func (m *Model) object(row api.Transaction, w, h int) []string {
	note := m.Theme.MutedLines(about(row), w)
	all := m.objectLines(row, w, h)
	lines := []string{m.Theme.Rule(rawObject, "", w)}
	room := h - 1 - len(note) - 1
	if room < minObject {
		note, room = nil, h-1
	}
	room = min(room, maxObject)
	if len(all) > room {
		all = append(all[:max(room-1, 0)], m.Theme.Muted.Render("… enter shows all"))
	}
	if lines = append(lines, all...); len(note) > 0 {
		lines = append(append(lines, ""), note...)
	}
	return lines
}

// objectLines are the raw object on lines of at most w cells, of which the first that many are enough.
func (m *Model) objectLines(row api.Transaction, w, enough int) (lines []string) {
	for _, l := range row.Object.Block(0, enough+1) {
		lines = append(lines, m.Theme.JSONLine(l, w)...)
	}
	return lines
}
