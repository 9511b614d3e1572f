package listing

import (
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"paydesk/api"
	"paydesk/api/query"
)

// The fields of [Language].
const (
	FieldStatus   = "status"
	FieldCurrency = "currency"
	FieldAmount   = "amount"
	FieldID       = "id"
	FieldSince    = "since"  // what is new or moved since a scan that is named: see [Asked]
	FieldGone     = "gone"   // what is gone since one
	FieldMade     = "made"   // whether a payment was made from here
	FieldLedger   = "ledger" // how it stands to what is known here
)

// Language describes what can be searched in the service's list. The names of its status words are the words of
// [api.State].
var Language = sync.OnceValue(func() *query.Language {
	return &query.Language{Fields: language(), Today: func() query.DayNumber { return query.DayOf(time.Now()) }}
})

func language() []query.Field {
	return []query.Field{
		{Name: FieldStatus, Aliases: []string{"state"}, Kind: query.Words, Words: statuses(), Bare: true, Example: "status:failed,pending"},
		{Name: FieldCurrency, Aliases: []string{"cur", "ccy"}, Kind: query.Words, Words: query.Currencies(), Bare: true, Example: "currency:gbp,eur"},
		{Name: FieldAmount, Aliases: []string{"amt"}, Kind: query.Amount, Bare: true, Example: "amount:100..250"},
		{Name: FieldID, Label: "ID", Aliases: []string{"transaction"}, Kind: query.Text, Example: "id:5e62*"},
		{Name: FieldSince, Label: "new or moved since", Kind: query.Scan, Example: "since:last"},
		{Name: FieldGone, Label: "gone since", Kind: query.Scan, Example: "gone:last"},
		{Name: FieldMade, Label: "payment", Kind: query.Words, Bare: true, Example: "made:here", Words: []query.Word{
			{Name: Here, Shown: "made from here"}, {Name: notHere, Shown: "not made from here"},
		}},
		{Name: FieldLedger, Label: "payment", Kind: query.Words, Bare: true, Example: "ledger:differs,absent", Words: []query.Word{
			{Name: Differs, Shown: "different here"}, {Name: Found, Shown: "in doubt here"}, {Name: Absent, Shown: "not in the list"},
		}},
		{Name: "day", Aliases: []string{"date", "time", "created", "from", "to"}, Kind: query.Day, Bare: true, Missing: noDates},
		{Name: "reference", Aliases: []string{"ref"}, Missing: noReference},
		{Name: "alias", Aliases: []string{"link", "operator", "outcome", "phone", "customer", "name", "channel"}, Missing: onlyFour},
		{Name: "email", Missing: noCustomer, Looks: func(s string) bool { return strings.Contains(s, "@") }},
	}
}

// Why something cannot be searched.
const (
	onlyFour    = "The service's list has only ID, amount, currency and status. Activity has more of what was sent."
	noCustomer  = "The service's list has no customer. Search Activity for an e-mail or a phone."
	noDates     = "The service's list has no dates. since:2026-11-20 finds what changed; Activity has days."
	noReference = "The service's list has IDs, which are not always references. Look for one with id:5e62*."
)

// statuses are the words for a status. What is unknown is a status here, and in other lists an outcome or a verdict.
func statuses() []query.Word {
	all := query.Statuses()
	last := &all[len(all)-1]
	last.Spellings = append(last.Spellings, "unknown")
	return all
}

// ofKinds is a condition about the currency or the status of a row.
func ofKinds(condition string) string {
	return "kind IN (SELECT kind FROM kinds WHERE " + condition + ")"
}

// columns returns where the fields are in the table of [Rows].
var columns = sync.OnceValue(func() query.Columns {
	shown, names := "CASE state", "CASE state"
	for _, w := range statuses() {
		state := strconv.Itoa(int(api.StateOf(w.Name)))
		names += " WHEN " + state + " THEN '" + strings.ToLower(w.Name) + "'"
		if w.Shown != "" {
			shown += " WHEN " + state + " THEN '" + strings.ToLower(w.Shown) + "'"
		}
	}
	names, shown = names+" ELSE '' END", shown+" ELSE '' END"
	id := "coalesce(low, id)"
	amount := query.Column{Minor: "minor", Currency: ofKinds("code {}"), Known: ofKinds("known")}
	anywhere := amount
	anywhere.Texts = []string{id, ofKinds("paydesk_fold(status) {} OR paydesk_fold(currency) {} OR lower(code) {} OR " + names + " {} OR " + shown + " {}"), "CASE WHEN raw IS NOT NULL THEN paydesk_fold(raw) END"}
	anywhere.Also = amountTexts
	return query.Columns{
		"":      anywhere,
		FieldID: {Texts: []string{id}},
		FieldStatus: {Texts: []string{ofKinds("paydesk_fold(status) {}")}, Word: func(name string) (string, []any) {
			return ofKinds("state = ?"), []any{int(api.StateOf(name))}
		}},
		FieldCurrency: {Texts: []string{ofKinds("paydesk_fold(currency) {}")}, Word: func(name string) (string, []any) { return ofKinds("code = ?"), []any{name} }},
		FieldAmount:   amount,
		FieldSince:    {Word: knownAs("asked = ? AND how <> '" + Gone + "'")},
		FieldGone:     {Word: knownAs("asked = ? AND how = '" + Gone + "'")},
		FieldMade: {Word: func(name string) (string, []any) {
			here := "id IN (SELECT id FROM known WHERE asked = '" + ofLedger + "')"
			if name == notHere {
				return "NOT " + here, nil
			}
			return here, nil
		}},
		FieldLedger: {Word: knownAs("asked = '" + ofLedger + "' AND how = ?")},
	}
})

func knownAs(condition string) func(string) (string, []any) {
	return func(name string) (string, []any) {
		return "id IN (SELECT id FROM known WHERE " + condition + ")", []any{name}
	}
}

// amountTexts writes amounts as people do, where a value may be in one: in minor units, and in major units with or without
// commas, alone or before the currency. Where the minor units do not have the digits, no such text has the value, unless an
// amount is so small that the texts have zeros before it: so few amounts are written.
func amountTexts(v query.Value) (texts []string, given string, args []any) {
	number, code, spaced := strings.Cut(strings.ToLower(v.Text), " ")
	if strings.Trim(number, "0123456789.,-") != "" || strings.Trim(code, "abcdefghijklmnopqrstuvwxyz") != "" {
		return nil, "", nil
	}
	format := "%d"
	if strings.Contains(number, ",") {
		format = "%,d"
	}
	major := "CASE (SELECT exponent FROM kinds WHERE kinds.kind = rows.kind) WHEN 0 THEN printf('" + format + "', minor)"
	for e, unit := 1, 10; e <= 4; e, unit = e+1, unit*10 {
		major += fmt.Sprintf(" WHEN %d THEN printf('%%s%s.%%0%dd', iif(minor < 0, '-', ''), abs(minor / %d), abs(minor %% %d))", e, format, e, unit, unit)
	}
	major += " END"
	if spaced {
		major += " || ' ' || (SELECT lower(code) FROM kinds WHERE kinds.kind = rows.kind)"
	}
	known := "(SELECT known FROM kinds WHERE kinds.kind = rows.kind)"
	texts = []string{"CASE WHEN " + known + " OR raw IS NULL THEN CAST(minor AS TEXT) END", "CASE WHEN " + known + " THEN " + major + " END"}
	digits := strings.NewReplacer(".", "", ",", "", "-", "").Replace(number)
	return texts, "(instr(minor, ?) > 0 OR minor BETWEEN -9999 AND 9999)", []any{digits}
}
