package report

import (
	"strings"
	"time"

	"paydesk/api"
	"paydesk/api/export"
	"paydesk/api/ledger"
	"paydesk/api/listing"
	"paydesk/screens/present"
	"paydesk/ui"
)

// Transactions are the columns of the service's list; compared is set if a query asks about an earlier scan.
//
// The status is left of anything the service wrote, and only in the console's words, so that no text of the service can pass
// for one. A file has the position, what the status means, and the exact amount in major units where the currency is known; JSON
// has what the service says alone, cleaned. An amount in minor units is a whole number; whatever else the service has written in
// its place is in amount_raw. A card number is masked in files.
func Transactions(compared bool) []Column[listing.Listed] {
	all := []Column[listing.Listed]{
		{Name: "position", Value: position},
		{Name: "id", Member: "id", Value: func(l listing.Listed) any { return export.Masked(l.ID) }},
		{
			Column: ui.Column{Title: "Status", Width: statusWidth}, On: Anywhere, Cell: TransactionStatus,
			Name: "status", Member: "status", Value: func(l listing.Listed) any { return export.Masked(l.Status.Text) },
		},
		{Name: "status_means", Value: statusMeans},
		{Column: ui.Column{Title: "Amount" + strings.Repeat(" ", len(" GBP")), Width: amountWidth + len(" GBP"), Right: true}, On: Screen, Cell: amountCell},
		{Column: ui.Column{Title: "Amount", Width: amountWidth, Right: true}, On: Anywhere &^ Screen, Cell: amountCell},
		{
			Column: ui.Column{Title: "Cur", Width: 3}, On: Anywhere &^ Screen,
			Cell: func(l listing.Listed, _ Medium) ui.Cell { return ui.Cell{Text: l.Currency.Line(8)} },
			Name: "currency", Member: "currency", Value: func(l listing.Listed) any { return export.Masked(l.Currency) },
		},
		{Column: ui.Column{Title: "ID", Width: 36, Drop: 1, Quiet: true}, On: Anywhere, Cell: idCell},
		{Column: ui.Column{Title: "Raw status if different", Width: 30, Drop: 2}, On: Anywhere &^ Narrow, Cell: ownWord},
		{On: Narrow, Cell: ownWord},
		{Name: "amount_major", Value: amountMajor},
		{Name: "amount_minor", Member: "amount", Value: func(l listing.Listed) any { return AmountMinor(l.Transaction) }},
		{Name: "amount_raw", Member: "amount_raw", Value: func(l listing.Listed) any { return AmountRaw(l.Transaction) }},
	}
	if !compared {
		return all
	}
	was := Column[listing.Listed]{Column: ui.Column{Title: "Was", Width: statusWidth}, On: Anywhere, Cell: func(l listing.Listed, _ Medium) ui.Cell {
		return ui.Cell{Text: present.ChangedFrom(l.Since.How, l.Since.Was)}
	}}
	return append(append(all[:3:3], append([]Column[listing.Listed]{was}, all[3:]...)...),
		Column[listing.Listed]{Name: "change", Value: func(l listing.Listed) any { return l.Since.How }},
		Column[listing.Listed]{Name: "status_was", Value: func(l listing.Listed) any { return l.Since.Was }})
}

const (
	statusWidth = 14 // has room for a status in the console's words
	amountWidth = 14
	// rawMark follows an amount that is shown raw.
	rawMark = "*"
)

// RawAmounts says what the mark after an amount means.
const RawAmounts = rawMark + " raw minor units: the amount in major units is unknown"

// Awaited is in place of a row that is being read.
const Awaited = "…"

// TransactionStatus is the status of a row. A payment about which an answer differed, or may have, is no success.
func TransactionStatus(l listing.Listed, on Medium) ui.Cell {
	cell := present.RowCell(l.Status, l.Mismatch)
	switch good := cell.Tone == ui.ToneGood; {
	case l.Gone(): // what it was is in the next column
		return ui.Cell{Text: listing.Gone}
	case good && l.Unchecked && on != Screen: // where tones are colours alone
		return ui.Cell{Text: "? " + cell.Text, Tone: ui.ToneUnknown}
	case good && l.Unchecked:
		cell.Tone = ui.ToneUnknown
	}
	return cell
}

// ownWord is the service's word for a status where it is another than that of the column, so that no word stands twice in a row.
// One that is not recognised always has it: without one, the service sent none. Where there is little room there is no other.
func ownWord(l listing.Listed, on Medium) ui.Cell {
	word := l.Status.Text.Line(20)
	if on != Screen {
		word = export.Masked(l.Status.Text)
	}
	if l.Status.State != api.Unrecognised && (on == Narrow || word == present.ShortStatus(l.Status)) {
		return ui.Cell{}
	}
	return ui.Cell{Text: word}
}

func idCell(l listing.Listed, on Medium) ui.Cell {
	if on == Screen {
		return ui.Cell{Text: l.ID.Line(80)}
	}
	return ui.Cell{Text: export.Masked(l.ID)}
}

// amountCell is the amount with thousands separated for people, and plain for programs; the raw number with a mark, when the
// amount in major units is not known exactly.
func amountCell(l listing.Listed, on Medium) ui.Cell {
	switch {
	case on == Screen:
		return ui.Cell{Text: RowAmount(l.Transaction)}
	case l.Known && on == Pipe:
		return ui.Cell{Text: l.Amount.Major()}
	case l.Known:
		return ui.Cell{Text: l.Amount.Grouped()}
	case l.Raw.Empty():
		return ui.Cell{}
	}
	return ui.Cell{Text: export.Masked(l.Raw) + rawMark}
}

// RowAmount is the amount of a row with its currency, as the service writes that.
func RowAmount(r api.Transaction) string {
	amount := r.Raw.Line(amountWidth-len(rawMark)) + rawMark
	if r.Known {
		amount = fitting(amountWidth, r.Amount.Grouped(), r.Amount.Major())
	}
	currency := r.Currency.Line(8)
	return amount + " " + ui.Fit(currency, max(ui.Width(currency), len("GBP")))
}

// position is nil for a row that is not in the list.
func position(l listing.Listed) any {
	if l.Position == 0 {
		return nil
	}
	return int64(l.Position)
}

// statusMeans returns what the status of a row stands for in a file. A payment about which an answer differed is a mismatch, and a success
// of which that is unchecked is unknown.
func statusMeans(l listing.Listed) any {
	switch {
	case l.Differs:
		return present.Mismatch
	case l.Unchecked && l.Status.State == api.Successful:
		return api.Unrecognised.String()
	case l.Status.Text.Empty():
		return nil
	}
	return l.Status.State.String()
}

func amountMajor(l listing.Listed) any {
	if !l.Known {
		return nil
	}
	return export.Decimal(l.Amount.Major())
}

// AmountMinor is the amount of a row in minor units; nil where the service has not written a whole number.
func AmountMinor(r api.Transaction) any {
	switch raw := export.Masked(r.Raw); {
	case r.Known:
		return r.Amount.Minor
	case export.IsWhole(raw):
		return export.Whole(raw)
	}
	return nil
}

// AmountRaw returns what the service has written in place of an amount in minor units; nil where it has written one.
func AmountRaw(r api.Transaction) any {
	raw := export.Masked(r.Raw)
	if r.Known || raw == "" || export.IsWhole(raw) {
		return nil
	}
	return raw
}

// OfTransaction says what is known of a row of a list that was begun to be read at a time: the row as it was read, with so many lines of its
// object at most, and how it stands to the attempt that made its payment from here; nil for none.
func OfTransaction(l listing.Listed, made *ledger.Attempt, began time.Time, object int) Report {
	status, amount := TransactionStatus(l, Screen), l.Raw.Line(24)+" minor units"
	if status.Text == present.ShortStatus(l.Status) {
		status.Text = present.OwnWord(l.Status)
	}
	if l.Known {
		amount = l.Amount.String()
	}
	r := Report{
		Title: "Transaction", Amount: amount, Status: status, Says: []Words{{Text: rowMeans(l)}},
	}
	row := Section{Title: "Row", Facts: []Fact{{Label: "ID", Value: l.ID.Line(120)}}}
	if l.Object.Empty() || object <= 1 { // which says the same
		row.Facts = append(row.Facts, Fact{Label: "Raw", Value: rawWords(l.Transaction)})
	}
	if l.Position > 0 {
		row.Facts = append(row.Facts, Fact{Label: "In the list", Value: "row " + present.Thousands(l.Position)}, Fact{Label: "Read since", At: began, In: OnPage})
	}
	r.Sections = append(r.Sections, row)
	if made != nil {
		tone, short, sentence := madeStands(*made, l.Transaction, began)
		if tone == ui.ToneMismatch {
			r.Status.Tone = tone
		}
		id := present.Plain(string(made.ID))
		r.Brief = "attempt " + id + ": " + short
		r.Sections = append(r.Sections, Section{
			Title: "In this console", Words: []Words{{Text: sentence, Tone: tone}},
			Facts: []Fact{{Label: "Attempt", Value: id}, {Label: "Sent", At: made.At, By: present.Plain(made.By.User)}},
		})
	}
	raw := Section{Title: "Raw object", Quote: Quote{Lines: l.Object.Block(0, object), JSON: true}}
	if l.Object.Empty() {
		raw.Facts = []Fact{{Label: raw.Title, Value: "not kept: enter reads it again", In: InPane, Muted: true}}
	}
	r.Sections = append(r.Sections, raw)
	return r
}

// rawWords returns what the service wrote of a row.
func rawWords(row api.Transaction) string {
	status := "no status"
	if !row.Status.Text.Empty() {
		status = "\"" + row.Status.Text.Line(40) + "\""
	}
	return status + " · " + row.Raw.Line(40) + " minor units · " + row.Currency.Line(20)
}

// rowMeans returns what a row says of a payment. What staff do about one follows from a check of it alone: a list may be behind that,
// and an ID may not be a payment reference.
func rowMeans(l listing.Listed) string {
	switch {
	case l.Differs:
		return "A status check gave a different answer: l shows how it differs."
	case l.Unchecked:
		return "The journal could not be read, and a status check may have given a different answer: l checks it."
	}
	if r, err := api.ParseReference(l.ID.Line(0)); err != nil || r == "" {
		return "The list says so. This ID cannot be a payment reference."
	}
	return "The list says so. l looks its ID up; it may not be a payment reference."
}

// madeStands says how a payment made from here stands to its row: in a word or two, and in a sentence.
func madeStands(a ledger.Attempt, row api.Transaction, began time.Time) (tone ui.Tone, short, sentence string) {
	standing, d := listing.Judge(a, row, began)
	switch {
	case a.Mismatch.Decision == ledger.NotOurs:
		return ui.ToneUnknown, "not ours", "This reference was recorded as belonging to another payment."
	case standing == listing.RowDiffers:
		return ui.ToneMismatch, "differs", "It differs: " + d.Words(a.Asked()) + "."
	case standing == listing.RowBehind:
		return ui.ToneNone, "newer here", "It is " + present.OwnWord(a.Status) + " here since " + present.DateTime(a.StatusAt) + "; this row was read before."
	case standing == listing.RowMoved && a.Status.Text.Empty():
		return ui.ToneNone, "not checked here", "Its status has not been checked here: l does."
	case standing == listing.RowMoved:
		return ui.ToneNone, "was " + present.ShortStatus(a.Status), "It was " + present.OwnWord(a.Status) + " when it was last checked here: l checks it."
	}
	return ui.ToneNone, "agrees", "Amount and status agree."
}
