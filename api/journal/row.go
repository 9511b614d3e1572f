package journal

import (
	"cmp"
	"strings"

	"paydesk/api"
	"paydesk/api/ledger"
)

// A row is an entry as it is stored.
type row struct {
	n int64
	ledger.Entry
}

// blankRow returns a row to scan into.
func blankRow() *row {
	return &row{Entry: ledger.Entry{Attempt: Attempt{Account: new(api.Transfer), CreatedLink: new(api.Link)}}}
}

// columns are n and every other column but checksum, in the order of the table.
func (r *row) columns() []column {
	account, made := cmp.Or(r.Account, new(api.Transfer)), cmp.Or(r.CreatedLink, new(api.Link))
	return []column{
		{"n", &r.n},
		{"id", (*string)(&r.ID)}, {"kind", (*string)(&r.Kind)}, {"at", &r.At},
		{"user", &r.By.User}, {"host", &r.By.Host}, {"ssh", &r.By.SSH},
		{"machine", &r.Sender.Machine}, {"pid", &r.Sender.PID}, {"started", &r.Sender.Started},
		{"profile", &r.Profile}, {"environment", &r.Environment}, {"service", &r.Host},
		{"minor", &r.Amount.Minor}, {"currency", &r.Amount.Currency}, {"channel", &r.Channel},
		{"link", (*string)(&r.Link)}, {"card", &r.Card},
		{"own_reference", &r.OwnReference}, {"reference", (*string)(&r.Reference)},
		{"email", &r.Payer.Email}, {"phone", &r.Payer.Phone},
		{"outcome", (*string)(&r.Outcome)}, {"answered", &r.AnsweredAt}, {"why", &r.Why},
		{"verdict", (*string)(&r.Decision)}, {"decided_user", &r.DecidedBy.User},
		{"decided_host", &r.DecidedBy.Host}, {"decided_ssh", &r.DecidedBy.SSH}, {"decided_at", &r.DecidedAt},
		{"status", documentedStatus{&r.Status, &r.StatusAt}}, {"status_text", &r.Status.Text}, {"seen_at", &r.StatusAt},
		{"final", derived(func() any { return boolInt(r.Status.State.Final()) })},
		{"bank", &r.BankAuth}, {"bank_asked", &r.Challenged}, {"customer_done", &r.CustomerDone},
		{"finalized", &r.Finalized}, {"finalize_lost", &r.FinalizeUnresolvedAt},
		{"account", &r.Account}, {"account_note", &account.Note}, {"account_bank", &account.Bank},
		{"account_number", &account.AccountNumber}, {"account_name", &account.AccountName},
		{"account_mode", &account.Mode}, {"account_expires", &account.Expiration},
		{"made", &r.CreatedLink}, {"made_id", &made.ID}, {"made_name", &made.Name},
		{"made_description", &made.Description}, {"made_page", &made.Page}, {"made_page_text", &made.PageText},
		{"made_minor", &made.Amount.Minor}, {"made_currency", &made.Amount.Currency},
		{"made_has_amount", &made.HasAmount}, {"made_type", &made.Type},
		{"made_amount_type", (*int)(&made.AmountType)}, {"made_status", &made.Status},
		{"made_created", &made.Created}, {"made_environment", &made.Environment},
		{"made_differs", &made.Differs}, {"made_lacks", &made.Lacks},
		{"draft_name", &r.Draft.Name}, {"draft_description", &r.Draft.Description},
		{"draft_type", (*int)(&r.Draft.Type)}, {"draft_amount_type", (*int)(&r.Draft.AmountType)},
		{"fingerprint", &r.Fingerprint}, {"payer_card", &r.Payer.Card},
		{"named", &r.Named}, {"fees_minor", &r.Fees}, {"total_minor", &r.Total},
		{"mismatch", (*int)(&r.Mismatch.What)}, {"mismatch_at", &r.Mismatch.At}, {"mismatch_agrees", &r.Mismatch.AgreesAt},
		{"mismatch_minor", &r.Mismatch.Answered.Minor}, {"mismatch_currency", &r.Mismatch.Answered.Currency},
		{"mismatch_text", &r.Mismatch.Text}, {"mismatch_reference", &r.Mismatch.Reference},
		{"mismatch_status", &r.Mismatch.Status}, {"mismatch_verdict", (*string)(&r.Mismatch.Decision)},
		{"mismatch_user", &r.Mismatch.DecidedBy.User}, {"mismatch_host", &r.Mismatch.DecidedBy.Host},
		{"mismatch_ssh", &r.Mismatch.DecidedBy.SSH}, {"mismatch_decided_at", &r.Mismatch.DecidedAt},
		{"decided_before", &r.DecidedBefore},
		{"words", derived(func() any { return r.searchText(made) })},
	}
}

// searchText is what is searched, in lower case: for [Filter.Text], and of a created link then, after a form
// feed, for [LinkFilter.Text].
func (r *row) searchText(made *api.Link) string {
	words := []string{
		string(r.ID), string(r.Reference), r.Named, string(r.Link), sanitizeText(made.Name), r.Draft.Name, r.Channel, r.Card,
	}
	if r.CreatedLink != nil {
		words[len(words)-1] += "\f" + string(r.ID)
		words = append(words, string(r.Link), r.Draft.Name, r.LinkAmount(), string(made.Alias), sanitizeText(made.Name), sanitizeAddress(made.Page))
		if len(made.Differs) > 0 {
			words = append(words, Mismatched)
		}
	}
	return strings.ToLower(strings.Join(words, "\n"))
}
