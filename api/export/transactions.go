package export

import (
	"encoding/json"
	"strings"

	"paydesk/api"
	"paydesk/api/card"
)

// A Transaction is a row of the service's list with its position there, from 1.
type Transaction struct {
	Position int
	api.Row
	// Means is what the status means where that is known better than from its word, such as MISMATCH; "" else.
	Means string
	// Change is how the row changed since an earlier scan, and Was the status there; "" where none is asked about.
	Change, Was string
}

// Transactions is the table of the service's list. JSON has what the service says, cleaned, and nothing else: id,
// amount in minor units, currency and status, as far as the row has them. CSV has beside them the position, what the
// status means, and the exact amount in major units, where the currency is known. An amount in minor units is a whole
// number; whatever else the service has written in its place is in amount_raw. A card number is masked. Of rows that are
// compared with an earlier scan CSV has how they changed, and the status there.
func Transactions(compared bool) Table[Transaction] {
	id := Column[Transaction]{"id", func(t *Transaction) any { return Masked(t.ID) }}
	status := Column[Transaction]{"status", func(t *Transaction) any { return Masked(t.Status.Text) }}
	currency := Column[Transaction]{"currency", func(t *Transaction) any { return Masked(t.Currency) }}
	raw := Column[Transaction]{"amount_raw", func(t *Transaction) any { return AmountRaw(t.Row) }}
	table := Table[Transaction]{
		Columns: []Column[Transaction]{
			{"position", position},
			id,
			status,
			{"status_means", statusMeans},
			currency,
			{"amount_major", amountMajor},
			{"amount_minor", func(t *Transaction) any { return AmountMinor(t.Row) }},
			raw,
		},
		Members: []Column[Transaction]{id, {"amount", func(t *Transaction) any { return AmountMinor(t.Row) }}, raw, currency, status},
	}
	if compared {
		table.Columns = append(table.Columns,
			Column[Transaction]{"change", func(t *Transaction) any { return t.Change }},
			Column[Transaction]{"status_was", func(t *Transaction) any { return t.Was }})
	}
	return table
}

// position is nil for a row that is not in the list.
func position(t *Transaction) any {
	if t.Position == 0 {
		return nil
	}
	return int64(t.Position)
}

func statusMeans(t *Transaction) any {
	switch {
	case t.Means != "":
		return t.Means
	case t.Status.Text.Empty():
		return nil
	}
	return t.Status.State.String()
}

func amountMajor(t *Transaction) any {
	if !t.Known {
		return nil
	}
	return Decimal(t.Amount.Major())
}

// Masked is a text of the service as files and the clipboard have it: one that looks like a card number is masked,
// whichever field it came in. The list shows an ID as it came, since one number in ten passes for a card's.
func Masked(t api.Text) string {
	line := t.Line(0)
	if len(line) < fewestDigits || card.IsUUID(line) { // most are
		return line
	}
	return card.Redact(line)
}

// fewestDigits are those of the shortest card number.
const fewestDigits = 13

// AmountMinor is the amount of a row in minor units; nil where the service has not written a whole number.
func AmountMinor(r api.Row) any {
	switch raw := Masked(r.Raw); {
	case r.Known:
		return r.Amount.Minor
	case isWhole(raw):
		return json.Number(raw)
	}
	return nil
}

// AmountRaw is what the service has written in place of an amount in minor units; nil where it has written one.
func AmountRaw(r api.Row) any {
	raw := Masked(r.Raw)
	if r.Known || raw == "" || isWhole(raw) {
		return nil
	}
	return raw
}

// isWhole reports whether a text is a whole number as JSON has it.
func isWhole(s string) bool {
	return s != "" && strings.Trim(strings.TrimPrefix(s, "-"), "0123456789") == "" && json.Valid([]byte(s))
}
