package journal

import (
	"cmp"
	"strings"

	"paydesk/api"
	"paydesk/api/ledger"
)

// A row is an entry as it is stored, in the table of its kind.
type row struct {
	n     int64
	known bool // in payments
	ledger.Entry
}

// table is where it is stored.
func (r *row) table() string {
	if r.known {
		return "payments"
	}
	return "attempts"
}

// columns are n and every other column but checksum, in the order of the table. The last is all of the entry; the others
// are a part of it, to be searched by.
func (r *row) columns() []column {
	if r.known {
		return []column{
			{"n", &r.n}, {"id", (*string)(&r.ID)},
			{"environment", &r.Environment}, {"service", &r.Host}, {"fingerprint", &r.Fingerprint}, {"reference", (*string)(&r.Reference)},
			{"minor", &r.Amount.Minor}, {"currency", &r.Amount.Currency}, {"answered", &r.AnsweredAt}, {"pinned", &r.PinnedAt},
			{"mismatch", (*int)(&r.Mismatch.What)}, {"body", &r.Entry},
		}
	}
	made := cmp.Or(r.CreatedLink, new(api.Link))
	charged, isKnown := due(r.Entry)
	link := ""
	if r.Kind == ledger.CreateLink {
		link = lines(linkWords(r.Attempt)...)
	}
	of := func(v any) derived { return func() any { return v } }
	return []column{
		{"n", &r.n},
		{"id", (*string)(&r.ID)}, {"kind", (*string)(&r.Kind)}, {"at", &r.At}, {"operator", &r.By.User},
		{"environment", &r.Environment}, {"service", &r.Host}, {"fingerprint", &r.Fingerprint},
		{"currency", &r.Amount.Currency}, {"minor", &r.Amount.Minor}, {"asked", of(boolInt(!r.CustomerChooses()))},
		{"channel", &r.Channel}, {"card", &r.Card}, {"link", (*string)(&r.Link)}, {"reference", (*string)(&r.Reference)},
		{"email", &r.Payer.Email}, {"phone", &r.Payer.Phone}, {"payer_card", &r.Payer.Card},
		{"outcome", (*string)(&r.Outcome)}, {"verdict", (*string)(&r.Decision)},
		{"status", documentedStatus{&r.Status, &r.StatusAt}}, {"status_text", of(strings.ToLower(r.Status.Text.Stored()))},
		{"final", of(boolInt(r.Status.State.Final()))},
		{"mismatch", (*int)(&r.Mismatch.What)}, {"mismatch_verdict", (*string)(&r.Mismatch.Decision)},
		{"made", of(boolInt(r.CreatedLink != nil))}, {"made_name", &made.Name}, {"made_differs", of(boolInt(len(made.Differs) > 0))},
		{"due_currency", of(charged.Currency.Code())}, {"due_minor", of(charged.Minor)}, {"due", of(boolInt(isKnown))},
		{"names", of(lines(r.Draft.Name, made.Name.Stored()))}, {"link_words", of(link)},
		{"words", of(lines(string(r.ID), string(r.Reference), r.Named, string(r.Link), made.Name.Stored(), r.Draft.Name, r.Channel, r.Card))},
		{"body", &r.Entry},
	}
}
