package journal

import (
	"math"
	"slices"
	"strings"
	"time"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/api/money"
	"paydesk/api/query"
	"paydesk/api/statefile"
)

// commonColumns returns the columns of the fields that both languages have, in the table of attempts. Its arguments are the
// SQL of the words that are looked for anywhere, and of the amount.
func commonColumns(words, currency, minor, known string) query.Columns {
	known += " AND " + currency + " <> ''"
	return query.Columns{
		"":         {Lines: []string{words}, Currency: currency, Minor: minor, Known: known},
		"outcome":  {Texts: []string{"a.outcome", "a.verdict"}, Word: outcomeIs},
		"currency": {Texts: []string{"lower(" + currency + ")"}, Word: is(currency)},
		"amount":   {Currency: currency, Minor: minor, Known: known},
		"day":      {At: "a.at", Clock: clock},
		"alias":    {Texts: []string{"lower(a.link)"}},
		"name":     {Lines: []string{"a.names"}},
		"id":       {Texts: []string{"a.id"}},
		"operator": {Texts: []string{operator, before("@"), before(" (")}},
	}
}

// operator names the sender of an attempt, as in "ada" or, by the key of their login, "ada@laptop (root)": the name alone finds both.
const operator = statefile.Fold + "(a.operator)"

// before returns the part of the operator before a mark.
func before(mark string) string {
	return "substr(" + operator + ", 1, instr(" + operator + " || '" + mark + "', '" + mark + "') - 1)"
}

// attemptColumns returns the columns of the fields of [AttemptLanguage]. key is that of the hashes.
func attemptColumns(key []byte) query.Columns {
	all := commonColumns("a.words", "a.currency", "a.minor", "a.asked = 1")
	all["status"] = query.Column{Texts: []string{"CASE a.mismatch WHEN 0 THEN a.status_text END"}, Word: statusIs}
	all["reference"] = query.Column{Texts: []string{"lower(a.reference)"}}
	all["channel"] = query.Column{Texts: []string{statefile.Fold + "(a.channel)"}, Word: is("a.channel")}
	all["card"] = query.Column{Texts: []string{"a.card"}}
	all["email"] = query.Column{Texts: []string{"a.email"}, Hash: func(s query.Secret) string { return ledger.Payer{Email: s.Expose()}.Marks(key).Email }}
	all["phone"] = query.Column{Texts: []string{"a.phone"}, Hash: func(s query.Secret) string { return ledger.Payer{Phone: s.Expose()}.Marks(key).Phone }}
	return all
}

// linkColumns returns the columns of the fields of [LinkLanguage].
func linkColumns() query.Columns {
	return commonColumns("a.link_words", "a.due_currency", "a.due_minor", "a.due = 1")
}

func is(column string) func(string) (string, []any) {
	return func(name string) (string, []any) { return column + " = ?", []any{name} }
}

// statusIs never takes the status of a payment with a mismatch for its own: which payment it describes is unknown.
func statusIs(name string) (sql string, args []any) {
	if name == Mismatched {
		return "a.mismatch <> 0", nil
	}
	return "a.status = ? AND a.mismatch = 0", []any{name}
}

// outcomeIs matches the outcome of the request, or the decision about an unresolved one: unresolved means without a decision.
// An answer that arrived after a decision counts more than the decision, unless that is not to follow the payment.
func outcomeIs(name string) (sql string, args []any) {
	if name == string(ledger.NotFollowed) {
		return "a.verdict = ?", []any{name}
	}
	switch ledger.Outcome(name) {
	case ledger.Sent, ledger.Accepted, ledger.Refused, ledger.NotSent:
		return "a.outcome = ?", []any{name}
	case ledger.Unresolved:
		return "a.outcome = 'unresolved' AND a.verdict = ''", nil
	}
	return "a.verdict = ? AND (a.outcome = 'unresolved' OR a.made_differs = 1)", []any{name}
}

// hints are conditions that follow from a query and have an index with few rows: else all rows are gone through, strip by
// strip.
func hints(q query.Query, columns query.Columns) (all []condition) {
	for _, t := range q.Terms {
		if t.Not || len(t.Amounts) > 0 {
			continue
		}
		c := columns[t.Field]
		switch {
		case t.Kind == query.Day && len(t.Days) == 1:
			from, before := t.Days[0].Times(time.Local)
			all = append(all, between(from, before))
		case t.Kind == query.Exact:
			var hashes []string
			for _, s := range t.Secrets {
				hashes = append(hashes, c.Hash(s))
			}
			all = append(all, oneOf(c.Texts[0], hashes).and(c.Texts[0]+" <> ''"))
		case t.Kind == query.Words && t.Field == "status" && len(t.Values) == 1 && t.Values[0].How == query.Known && t.Values[0].Text != Mismatched:
			all = append(all, condition{"a.status = ? AND a.status <> ''", []any{t.Values[0].Text}})
		case slices.Contains([]string{"reference", "alias", "id"}, t.Field) && !slices.ContainsFunc(t.Values, func(v query.Value) bool { return v.How != query.Whole }):
			var names []string
			for _, v := range t.Values {
				names = append(names, strings.ToLower(v.Text))
			}
			all = append(all, oneOf(c.Texts[0], names).and(strings.TrimSuffix(strings.TrimPrefix(c.Texts[0], "lower("), ")")+" <> ''"))
		}
	}
	return all
}

// A condition is SQL about a row a of attempts, with its arguments.
type condition struct {
	sql  string
	args []any
}

func (c condition) and(sql string, args ...any) condition {
	return condition{c.sql + " AND " + sql, append(slices.Clip(c.args), args...)}
}

// oneOf is the condition that a column has one of some values.
func oneOf[V any](column string, all []V) (c condition) {
	for _, v := range all {
		var arg any = v
		switch name := arg.(type) {
		case ledger.ID:
			arg = string(name)
		case api.Reference:
			arg = string(name)
		}
		c.args = append(c.args, arg)
	}
	c.sql = column + " IN (" + strings.TrimSuffix(strings.Repeat("?, ", len(all)), ", ") + ")"
	return c
}

// linkWords returns the texts by which a created link, or one that may have been, is found: see [LinkLanguage].
func linkWords(a ledger.Attempt) []string {
	words := []string{string(a.ID), string(a.Link), a.Draft.Name}
	if made := a.CreatedLink; made != nil {
		page, _ := made.Page.MarshalText()
		words = append(words, a.LinkAmount(), string(made.Alias), made.Name.Stored(), string(page))
		if len(made.Differs) > 0 {
			words = append(words, Mismatched)
		}
		return words
	}
	return append(words, string(ledger.Unresolved), a.LinkAmount())
}

// lines joins texts in lower case, each between line breaks.
func lines(all ...string) string { return "\n" + strings.ToLower(strings.Join(all, "\n")) + "\n" }

// due returns what a link charges, and whether that is known.
func due(e ledger.Entry) (amount money.Amount, known bool) {
	made := e.CreatedLink
	switch {
	case made == nil:
		return e.Amount, !e.CustomerChooses()
	case made.AmountType == api.Dynamic && !made.HasAmount:
		return money.Amount{Currency: e.Amount.Currency}, false
	}
	return made.Amount, made.HasAmount && made.AmountType != api.Dynamic
}

// between requires that it was sent at or after one time and before another; zero for any.
func between(from, before time.Time) condition {
	c := condition{sql: "TRUE"}
	if !from.IsZero() {
		c = c.and("a.at >= ?", clock(from))
	}
	if !before.IsZero() {
		c = c.and("a.at < ?", clock(before))
	}
	return c
}

// clock is a time as it is stored: one before or after what an integer holds is the first or the last.
func clock(t time.Time) int64 {
	switch {
	case t.Year() < 1700:
		return math.MinInt64
	case t.Year() > 2200:
		return math.MaxInt64
	}
	return unixNano(t)
}

// atService is [ledger.Destination.IsSameService] in SQL, which [atArgs] fill in. The indexes lead with the
// environment and what else is asked for; rows of other services in it are few.
const atService = "environment = ? AND (service IN (?, ?, ?) OR fingerprint <> '' AND fingerprint = ?)"

func atArgs(d ledger.Destination) []any {
	d = d.Stored()
	hosts := d.Hosts()
	return []any{d.Environment, hosts[0], hosts[1], hosts[2], d.Fingerprint}
}
