package export

import (
	"cmp"
	"strings"
	"time"

	"paydesk/api"
	"paydesk/api/journal"
)

// A column is one value of a row: a string, int64 or bool, or nil when there is none.
type column struct {
	name  string
	value any
}

// columns are the columns of an attempt's row, in order: the header of CSV and the names in JSON.
// Other programs depend on them. Amounts are a whole number of minor units, and a decimal in major
// units; times are RFC 3339 with their offset, and a fraction if there is one. status_means is the
// documented status that the service's word stands for, or MISMATCH; customer_pays_minor is there where
// the service states fees and who pays them.
func columns(a *journal.Attempt) []column {
	link := cmp.Or(a.CreatedLink, new(api.Link))
	var minor, major, exponent, means, uses, chosen any
	if a.Draft.Name != "" {
		uses, chosen = a.Draft.Type.String(), a.Draft.AmountType.String()
	}
	switch {
	case a.CustomerChooses(): // the request carried a placeholder
		chosen = api.Dynamic.String()
	case !a.Amount.Currency.IsZero():
		minor, major, exponent = a.Amount.Minor, a.Amount.Major(), int64(a.Amount.Currency.Exponent())
	}
	if !a.Status.Text.Empty() {
		means = a.Status.State.String()
	}
	var answeredMinor, answeredMajor, fees, total, expires, due any
	if m := a.Mismatch; !m.IsZero() {
		means = journal.Mismatched // no program may take it for a success
		if !m.Answered.Currency.IsZero() {
			answeredMinor, answeredMajor = m.Answered.Minor, m.Answered.Major()
		}
	}
	if a.Account.Expires() {
		expires = a.Account.Expiration.Time
	}
	if a.Fees > 0 {
		fees = a.Fees
	}
	if a.Total > 0 {
		total = a.Total
	}
	if amount, known := a.Asked().Due(); known && (a.Fees > 0 || a.Total > 0) {
		due = amount.Minor
	}
	all := []column{
		{"id", string(a.ID)},
		{"kind", string(a.Kind)},
		{"at", a.At},
		{"profile", a.Profile},
		{"environment", a.Environment},
		{"service", a.Destination.Host},
		{"outcome", outcomeWord(string(a.Outcome))},
		{"status", a.Status.Text.Line(0)},
		{"status_means", means},
		{"amount_minor", minor},
		{"amount_major", major},
		{"currency", a.Amount.Currency.Code()},
		{"exponent", exponent},
		{"channel", a.Channel},
		{"card_last_four", a.Card},
		{"link", string(a.Link)},
		{"link_name", link.Name.Line(0)},
		{"link_page", link.Page.String()},
		{"reference", string(a.Reference)},
		{"own_reference", a.OwnReference},
		{"answered_at", a.AnsweredAt},
		{"why", a.Why},
		{"status_at", a.StatusAt},
		{"customer_done", a.CustomerDone},
		{"finalized", a.Finalized},
		{"finalize_lost_at", a.FinalizeUnresolvedAt},
		{"verdict", string(a.Decision)},
		{"decided_at", a.DecidedAt},
		{"decided_by", a.DecidedBy.User},
		{"decided_before", a.DecidedBefore},
		{"operator", a.By.User},
		{"operator_host", a.By.Host},
		{"operator_ssh", a.By.SSH},
		{"link_asked_name", a.Draft.Name},
		{"link_asked_description", a.Draft.Description},
		{"link_asked_type", uses},
		{"link_asked_amount_type", chosen},
		{"link_mismatch", link.Differences()},
		{"link_not_answered", lacks(link)},
		{"fees_minor", fees},
		{"total_minor", total},
		{"named", a.Named},
		{"mismatch", a.Mismatch.What.String()},
		{"mismatch_at", a.Mismatch.At},
		{"answered_minor", answeredMinor},
		{"answered_major", answeredMajor},
		{"answered_currency", a.Mismatch.Answered.Currency.Code()},
		{"answered_amount_text", a.Mismatch.Text.Line(0)},
		{"answered_reference", a.Mismatch.Reference.Line(0)},
		{"answered_status", a.Mismatch.Status.Line(0)},
		{"answer_agrees_at", a.Mismatch.AgreesAt},
		{"mismatch_verdict", string(a.Mismatch.Decision)},
		{"mismatch_decided_at", a.Mismatch.DecidedAt},
		{"mismatch_decided_by", a.Mismatch.DecidedBy.User},
		{"account_expires_at", expires},
		{"customer_pays_minor", due},
		{"link_id", link.ID.Line(0)},
	}
	for i, c := range all {
		switch t, isTime := c.value.(time.Time); {
		case c.value == "", isTime && t.IsZero():
			all[i].value = nil
		case isTime:
			all[i].value = t.Local().Format(time.RFC3339Nano)
		}
	}
	return all
}

// lacks are the parts that the response to the creation of a link did not contain, on one line.
func lacks(l *api.Link) string {
	var all []string
	for _, part := range l.Lacks {
		all = append(all, part.Line(0))
	}
	return strings.Join(all, ", ")
}

// outcomeWord is the word for an outcome in files. What is not known is UNRESOLVED there as on the
// screens, so that it stands out among the others.
func outcomeWord(recorded string) string {
	if recorded == string(journal.Unresolved) {
		return "UNRESOLVED"
	}
	return recorded
}
