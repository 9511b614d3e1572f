package export

import (
	"time"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/money"
)

// A column is one value of a row: a string, int64 or bool, or nil when there is none.
type column struct {
	name  string
	value func(a *journal.Attempt) any
}

// columns are the columns of a row, in order: the header of CSV and the names in JSON. Other
// programs depend on them. Amounts are a whole number of minor units, and a decimal in major
// units.
var columns = []column{
	{"id", func(a *journal.Attempt) any { return orNil(string(a.ID)) }},
	{"kind", func(a *journal.Attempt) any { return orNil(string(a.Kind)) }},
	{"at", func(a *journal.Attempt) any { return timestamp(a.At) }},
	{"profile", func(a *journal.Attempt) any { return orNil(a.Profile) }},
	{"environment", func(a *journal.Attempt) any { return orNil(a.Environment) }},
	{"service", func(a *journal.Attempt) any { return orNil(a.Destination.Host) }},
	{"outcome", func(a *journal.Attempt) any { return orNil(string(a.Outcome)) }},
	{"status", func(a *journal.Attempt) any { return orNil(a.Status.Text.Line(0)) }},
	{"status_means", statusMeans},
	{"amount_minor", ofAmount(func(m money.Amount) any { return m.Minor })},
	{"amount_major", ofAmount(func(m money.Amount) any { return m.Major() })},
	{"currency", func(a *journal.Attempt) any { return orNil(a.Amount.Currency.Code()) }},
	{"exponent", ofAmount(func(m money.Amount) any { return int64(m.Currency.Exponent()) })},
	{"channel", func(a *journal.Attempt) any { return orNil(a.Channel) }},
	{"card_last_four", func(a *journal.Attempt) any { return orNil(a.Card) }},
	{"link", func(a *journal.Attempt) any { return orNil(string(a.Link)) }},
	{"link_name", ofLink(func(l *api.Link) string { return l.Name.Line(0) })},
	{"link_page", ofLink(func(l *api.Link) string { return l.Page.String() })},
	{"reference", func(a *journal.Attempt) any { return orNil(string(a.Reference)) }},
	{"own_reference", func(a *journal.Attempt) any { return orNil(a.OwnReference) }},
	{"answered_at", func(a *journal.Attempt) any { return timestamp(a.AnsweredAt) }},
	{"why", func(a *journal.Attempt) any { return orNil(a.Why) }},
	{"status_at", func(a *journal.Attempt) any { return timestamp(a.StatusAt) }},
	{"customer_done", func(a *journal.Attempt) any { return a.CustomerDone }},
	{"finalized", func(a *journal.Attempt) any { return a.Finalized }},
	{"finalize_lost_at", func(a *journal.Attempt) any { return timestamp(a.FinalizeUnresolvedAt) }},
	{"verdict", func(a *journal.Attempt) any { return orNil(string(a.Decision)) }},
	{"decided_at", func(a *journal.Attempt) any { return timestamp(a.DecidedAt) }},
	{"decided_by", func(a *journal.Attempt) any { return orNil(a.DecidedBy.User) }},
	{"operator", func(a *journal.Attempt) any { return orNil(a.By.User) }},
	{"operator_host", func(a *journal.Attempt) any { return orNil(a.By.Host) }},
	{"operator_ssh", func(a *journal.Attempt) any { return orNil(a.By.SSH) }},
}

func orNil(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// timestamp is RFC 3339 in UTC, with a fraction if there is one.
func timestamp(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.UTC().Format(time.RFC3339Nano)
}

// statusMeans is the documented status that the service's word stands for.
func statusMeans(a *journal.Attempt) any {
	if a.Status.Text.Empty() {
		return nil
	}
	return a.Status.State.String()
}

// ofAmount is a value of the amount; nil when the attempt has none.
func ofAmount(value func(money.Amount) any) func(*journal.Attempt) any {
	return func(a *journal.Attempt) any {
		if a.Amount.Currency.IsZero() {
			return nil
		}
		return value(a.Amount)
	}
}

// ofLink is a text of the created link; nil when there is none.
func ofLink(value func(*api.Link) string) func(*journal.Attempt) any {
	return func(a *journal.Attempt) any {
		if a.CreatedLink == nil {
			return nil
		}
		return orNil(value(a.CreatedLink))
	}
}
