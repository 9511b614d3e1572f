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
	return []column{
		{"n", &r.n},
		{"id", (*string)(&r.ID)}, {"kind", (*string)(&r.Kind)}, {"at", &r.At}, {"user", &r.By.User},
		{"machine", &r.Sender.Machine}, {"pid", &r.Sender.PID}, {"started", &r.Sender.Started},
		{"environment", &r.Environment}, {"service", &r.Host},
		{"minor", &r.Amount.Minor}, {"currency", &r.Amount.Currency}, {"channel", &r.Channel},
		{"link", (*string)(&r.Link)}, {"card", &r.Card},
		{"own_reference", &r.OwnReference}, {"reference", (*string)(&r.Reference)},
		{"email", &r.Payer.Email}, {"phone", &r.Payer.Phone},
		{"outcome", (*string)(&r.Outcome)}, {"answered", &r.AnsweredAt}, {"verdict", (*string)(&r.Decision)},
		{"status", documentedStatus{&r.Status, &r.StatusAt}}, {"status_text", &r.Status.Text}, {"seen_at", &r.StatusAt},
		{"final", derived(func() any { return boolInt(r.Status.State.Final()) })},
		{"made", derived(func() any { return boolInt(r.CreatedLink != nil) })}, {"made_name", &made.Name},
		{"made_minor", &made.Amount.Minor}, {"made_currency", &made.Amount.Currency},
		{"made_has_amount", &made.HasAmount}, {"made_amount_type", (*int)(&made.AmountType)}, {"made_differs", &made.Differs},
		{"draft_name", &r.Draft.Name}, {"draft_amount_type", (*int)(&r.Draft.AmountType)},
		{"fingerprint", &r.Fingerprint}, {"payer_card", &r.Payer.Card},
		{"named", &r.Named}, {"fees_minor", &r.Fees}, {"total_minor", &r.Total},
		{"mismatch", (*int)(&r.Mismatch.What)},
		{"mismatch_minor", &r.Mismatch.Answered.Minor}, {"mismatch_currency", &r.Mismatch.Answered.Currency},
		{"mismatch_verdict", (*string)(&r.Mismatch.Decision)},
		{"words", derived(func() any { return r.searchText(made) })},
		{"body", &r.Entry},
	}
}

// searchText is what is searched, in lower case: for [Filter.Text], and of a created link then, after a form
// feed, for [LinkFilter.Text].
func (r *row) searchText(made *api.Link) string {
	page, _ := made.Page.MarshalText()
	words := []string{
		string(r.ID), string(r.Reference), r.Named, string(r.Link), made.Name.Stored(), r.Draft.Name, r.Channel, r.Card,
	}
	if r.CreatedLink != nil {
		words[len(words)-1] += "\f" + string(r.ID)
		words = append(words, string(r.Link), r.Draft.Name, r.LinkAmount(), string(made.Alias), made.Name.Stored(), string(page))
		if len(made.Differs) > 0 {
			words = append(words, Mismatched)
		}
	}
	return strings.ToLower(strings.Join(words, "\n"))
}
