package journal

import (
	"cmp"
	"strings"

	"paydesk/api"
	"paydesk/api/ledger"
)

// columns are every column of an entry but n and checksum, in the order of the table. The last is all of the entry; the
// others are a part of it, to be searched by.
func columns(r ledger.Entry) []column {
	made := cmp.Or(r.CreatedLink, new(api.Link))
	charged, isKnown := due(r)
	link, status := "", ""
	if r.Kind == ledger.CreateLink {
		link = lines(linkWords(r.Attempt)...)
	}
	if !r.StatusAt.IsZero() {
		status = r.Status.State.String()
	}
	body, err := r.Record()
	if err != nil {
		panic(err) // nothing in it cannot be JSON
	}
	return []column{
		{"id", string(r.ID)}, {"kind", string(r.Kind)}, {"at", unixNano(r.At)}, {"operator", r.By.User},
		{"environment", r.Environment}, {"service", r.Host}, {"fingerprint", r.Fingerprint},
		{"currency", r.Amount.Currency.Code()}, {"minor", r.Amount.Minor}, {"asked", boolInt(!r.CustomerChooses())},
		{"channel", r.Channel}, {"card", r.Card}, {"link", string(r.Link)}, {"reference", string(r.Reference)},
		{"email", r.Payer.Email}, {"phone", r.Payer.Phone}, {"payer_card", r.Payer.Card},
		{"outcome", string(r.Outcome)}, {"verdict", string(r.Decision)},
		{"status", status}, {"status_text", strings.ToLower(r.Status.Text.Stored())}, {"final", boolInt(r.Status.State.Final())},
		{"mismatch", int64(r.Mismatch.What)}, {"mismatch_verdict", string(r.Mismatch.Decision)},
		{"answered", unixNano(r.AnsweredAt)}, {"pinned", unixNano(r.PinnedAt)},
		{"made", boolInt(r.CreatedLink != nil)}, {"made_name", made.Name.Stored()}, {"made_differs", boolInt(len(made.Differs) > 0)},
		{"due_currency", charged.Currency.Code()}, {"due_minor", charged.Minor}, {"due", boolInt(isKnown)},
		{"names", lines(r.Draft.Name, made.Name.Stored())}, {"link_words", link},
		{"words", lines(string(r.ID), string(r.Reference), r.Named, string(r.Link), made.Name.Stored(), r.Draft.Name, r.Channel, r.Card)},
		{"body", string(body)},
	}
}
