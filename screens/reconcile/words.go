package reconcile

import (
	"strings"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/listing"
	"paydesk/screens/present"
	"paydesk/ui"
)

// groupTitle is what the payments of a standing have in common.
func groupTitle(s listing.Standing, r *listing.Reconciliation) string {
	switch s {
	case listing.Differs:
		return "Differ from the list"
	case listing.Found:
		return "In doubt here, but in the list"
	case listing.Absent:
		return "Missing: not in the list"
	case listing.NoRow:
		return "No row of the list could be it"
	case listing.NotSeen:
		return "Not seen in " + present.Count(r.Rows, "row", "rows") + " read"
	case listing.InDoubt:
		return "Not known whether it was made"
	case listing.Moved:
		return "Status moved in the list"
	case listing.Alike:
		return "Rows of the same amount could be it"
	case listing.Unclear:
		return "Amount not known here"
	case listing.Behind:
		return "Newer here than in the list"
	}
	return "Agree with the list"
}

// summaryWords name a standing after its number, for one and for more.
var summaryWords = [listing.Standings][2]string{
	listing.Differs: {"differs", "differ"}, listing.Found: {"found", "found"}, listing.Absent: {"missing", "missing"},
	listing.NoRow: {"without any row", "without any row"}, listing.NotSeen: {"not seen", "not seen"}, listing.InDoubt: {"in doubt", "in doubt"},
	listing.Moved: {"moved", "moved"}, listing.Alike: {"by amount alone", "by amount alone"}, listing.Unclear: {"without an amount", "without an amount"},
	listing.Behind: {"newer here", "newer here"}, listing.Agrees: {"agrees", "agree"},
}

// summary is how many payments stand how: "10 agree · 1 differs · 2 missing".
func (m *Model) summary() string {
	r := m.result
	words := func(s listing.Standing) string {
		return present.Count(r.Count(s), summaryWords[s][0], summaryWords[s][1])
	}
	parts := []string{words(listing.Agrees)}
	for s := range listing.Agrees {
		if r.Count(s) > 0 {
			parts = append(parts, words(s))
		}
	}
	return strings.Join(parts, " · ")
}

// rowsRead are the rows that were compared: "1,205 rows, no change seen while it was read", or in short
// "1,205 rows, no change seen".
func (m *Model) rowsRead(short bool) string {
	r, st := m.result, m.result.of
	rows := present.Count(r.Rows, "row", "rows")
	switch {
	case r.Trusted && short:
		return rows + ", no change seen"
	case st.Phase == listing.Done && st.Verdict.Changed() && short:
		return rows + ", list changed"
	case st.Phase == listing.Done:
		return rows + present.Verdict(st.Verdict)
	case st.Counted && st.Total > r.Rows:
		return present.Thousands(r.Rows) + " of " + present.Count(st.Total, "row", "rows") + " read"
	}
	return rows + ", not the whole list"
}

// referenceWords say whether IDs of the list are references, as far as was seen.
func (m *Model) referenceWords() string {
	r := m.result
	are, known := r.AreReferences()
	switch {
	case !known:
		return "No payment made from here has a reference to look for."
	case are:
		return present.Thousands(r.Joined) + " of " + present.Count(r.References, "reference is an ID", "references are IDs") + " in the list."
	case r.Trusted:
		return "None of " + present.Count(r.References, "reference is an ID", "references is an ID") + " in the list: IDs are not references here, so rows could be found by amount only."
	}
	return "None of " + present.Count(r.References, "reference is an ID", "references is an ID") + " in the rows read so far: rows could be found by amount only."
}

// attempt is the part of a case that present words.
func attempt(c listing.Case) journal.Attempt {
	return journal.Attempt{
		Kind: c.Kind, At: c.At, Amount: c.Amount, Channel: c.Channel, Card: c.Card, Reference: c.Reference, Outcome: c.Outcome,
		Decision: c.Decision, Status: c.Status, Mismatch: mismatch(c),
	}
}

func mismatch(c listing.Case) journal.Mismatch {
	return journal.Mismatch{Difference: api.Difference{What: c.Differed, Answered: c.Answered}, Decision: c.MismatchDecision}
}

// hereCell is how a payment stands here: its last status, or that it is not known whether it was made. One that
// differs is not shown as a success.
func hereCell(c listing.Case) ui.Cell {
	if c.Outcome == journal.Unresolved && c.Reference == "" {
		return present.AttemptCell(attempt(c), c.At)
	}
	cell := ui.Cell{Text: present.ShortStatus(c.Status), Tone: present.Tone(c.Status)}
	switch m := mismatch(c); {
	case c.Status.Text.Empty():
		cell = ui.Cell{Text: "not checked"}
	case !m.IsZero():
		cell = present.ListCell(c.Status, m, api.Circumstances{})
	}
	if c.Standing == listing.Differs && cell.Tone == ui.ToneGood {
		cell.Tone = ui.ToneMismatch
	}
	return cell
}

// listCell is what the list has of a payment: what its row says, or how many rows could be it.
func (m *Model) listCell(c listing.Case) ui.Cell {
	if c.Row < 0 {
		return ui.Cell{Text: couldBe(c)}
	}
	row := m.result.Row(c.Row)
	status := ui.Cell{Text: present.ShortStatus(row.Status)}
	switch d := c.Difference; {
	case d.What&(api.AmountDiffers|api.CurrencyDiffers) != 0 && row.Known:
		return ui.Cell{Text: row.Amount.String(), Tone: ui.ToneMismatch}
	case d.What&(api.AmountDiffers|api.CurrencyDiffers) != 0:
		return ui.Cell{Text: "amount unclear", Tone: ui.ToneMismatch}
	}
	status.Tone = rowTone(c, row)
	return status
}

// rowTone is that of a row's status. One that differs from its payment is not shown as a success, nor is one whose
// payment has a mismatch.
func rowTone(c listing.Case, row api.Row) ui.Tone {
	tone := present.Tone(row.Status)
	switch {
	case c.Row < 0: // of no payment from here
	case !c.Difference.IsZero() || c.InDoubt() && tone == ui.ToneGood:
		return ui.ToneMismatch
	case tone == ui.ToneGood && c.Differed != 0:
		return ui.ToneNone
	}
	return tone
}

// couldBe is how many rows could be a payment, in at most 18 cells.
func couldBe(c listing.Case) string {
	switch {
	case c.Amount.Currency.IsZero():
		return "amount not known"
	case c.Candidates == 0:
		return "no row could be it"
	}
	return present.Thousands(c.Candidates) + " could be it"
}

// sentences say how a payment stands, and what to do.
func (m *Model) sentences(c listing.Case) string {
	r := m.result
	words := ""
	switch c.Standing {
	case listing.Differs:
		words = differsWords(c) + " Ask the provider which is right."
	case listing.Found:
		words = foundWords(c)
	case listing.Absent:
		words = "Its reference is no ID in the list, though " + present.Count(r.Joined, "other is", "others are") + ". " + rowsWords(c)
	case listing.NoRow:
		words = "No row of the list has its amount, its currency and a status that it could have."
	case listing.NotSeen:
		words = "It is not among the rows read; there may be more. " + rowsWords(c)
	case listing.InDoubt:
		words = "No answer says whether it was made. " + rowsWords(c)
	case listing.Moved:
		words = present.OwnWord(m.result.Row(c.Row).Status) + " in the list may follow what is known here: s checks it."
	case listing.Alike:
		words = rowsWords(c)
	case listing.Unclear:
		words = "It was made elsewhere and finalized here. Its amount is not known, so no row can be found by it."
	case listing.Behind:
		words = "It became final here " + present.DateTime(c.StatusAt) + ", after its row was read."
	}
	if c.Same > 1 {
		words += " " + present.Thousands(c.Same) + " rows have this ID."
	}
	if c.Sharing > 0 && c.Candidates > 0 {
		words += " " + present.Count(c.Sharing, "other payment from here without a row has", "other payments from here without a row have") + " this amount too."
	}
	return strings.TrimSpace(words)
}

// differsWords say how the row of a payment differs, or that only an answer did.
func differsWords(c listing.Case) string {
	if c.Difference.IsZero() {
		return "An answer of the service differed from what was asked, though this row does not: enter shows how."
	}
	return present.Sentence(c.Difference.Words(c.Asked()))
}

// foundWords say by what a payment in doubt was found, and how its row differs.
func foundWords(c listing.Case) string {
	words := "The reference that was sent with it is an ID in the list."
	if c.Join == listing.ByName {
		words = "An answer that could not be believed named this ID."
	}
	if differs := c.Difference.Words(c.Asked()); differs != "" {
		return words + " But it is another amount: " + differs + "."
	}
	return words + " Compare it with the provider, then record it: enter, then d."
}

// rowsWords say how many rows could be a payment.
func rowsWords(c listing.Case) string {
	switch {
	case c.Amount.Currency.IsZero():
		return "Its amount is not known here."
	case c.Candidates == 0:
		return "No row could be it, by amount, currency and status."
	case c.Candidates == 1:
		return "One row could be it, which proves nothing."
	}
	return present.Thousands(c.Candidates) + " rows could be it, which proves nothing."
}
