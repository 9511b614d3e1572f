package webhook

import (
	"context"
	"database/sql"
	"math"
	"slices"
	"strings"
	"time"

	"paydesk/api"
	"paydesk/api/money"
	"paydesk/api/query"
	"paydesk/api/statefile"
)

// An eventRow is what a search looks at.
type eventRow struct {
	id, last        int64
	deliveries      int
	masked, early   bool
	delivered       bool // every target that it was sent to has accepted it
	verdict         string
	name, reference string
	status, answer  string // words of [api.State]
	amount          money.Amount
	hasAmount       bool
	body            string // in lower case; only where a term looks for text anywhere
}

// matching returns the IDs of the events that a search finds, the last delivered first: one more than its limit, where
// there are so many.
func matching(ctx context.Context, db statefile.Querier, q Search) (ids []int64, err error) {
	columns := "e.id, e.last, e.deliveries, e.masked, e.early, e.verdict, e.name, e.reference, e.status, coalesce(p.status, ''), e.minor, e.currency"
	body, delivered := "''", "0"
	if q.Query.Asks("") {
		body = "e.body"
	}
	if q.Query.Asks(fieldIs) {
		delivered = `(SELECT count(*) > 0 AND min(accepted) FROM
			(SELECT max(problem = '') AS accepted FROM forwards WHERE event = e.id GROUP BY target))`
	}
	until, before := millisOr(q.Until, math.MaxInt64), q.Before
	if before <= 0 {
		before = math.MaxInt64
	}
	rows, err := db.QueryContext(ctx, "SELECT "+columns+", "+delivered+", "+body+` FROM events AS e
		LEFT JOIN payments AS p ON p.profile = e.profile AND p.reference = e.reference
		WHERE e.profile = ? AND e.delivery < ? AND e.last >= ? AND e.last < ? ORDER BY e.delivery DESC`,
		q.Profile, before, millisOr(q.From, math.MinInt64), until)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for len(ids) <= q.Limit && rows.Next() {
		r, err := scanRow(rows)
		if err != nil {
			return nil, err
		}
		if r.meetsAll(q.Query) {
			ids = append(ids, r.id)
		}
	}
	return ids, rows.Err()
}

func scanRow(rows *sql.Rows) (r eventRow, err error) {
	var minor sql.NullInt64
	var currency, answer string
	var delivered sql.NullBool
	var body sql.RawBytes
	err = rows.Scan(&r.id, &r.last, &r.deliveries, &r.masked, &r.early, &r.verdict, &r.name, &r.reference, &r.status, &answer, &minor, &currency, &delivered, &body)
	r.delivered = delivered.Bool
	r.amount, r.hasAmount = amountOf(minor, currency)
	r.body = strings.ToLower(string(body))
	if answer != "" {
		r.answer = api.ParseStatus(answer).State.String()
	}
	return r, err
}

func millisOr(t time.Time, open int64) int64 {
	if t.IsZero() {
		return open
	}
	return t.UnixMilli()
}

func (r *eventRow) meetsAll(q query.Query) bool {
	for _, t := range q.Terms {
		if met, known := r.meets(t); !known || met == t.Not {
			return false
		}
	}
	return true
}

// meets reports whether a row meets a term; known is false where that cannot be told, as of an amount that is not
// there.
func (r *eventRow) meets(t query.Term) (met, known bool) {
	any := func(texts ...string) bool {
		return slices.ContainsFunc(t.Values, func(v query.Value) bool { return slices.ContainsFunc(texts, v.Match) })
	}
	switch t.Field {
	case "":
		return any(r.name, r.reference, r.verdict, r.status, r.answer, r.body) || r.amountIn(t.Amounts), true
	case fieldReference:
		return any(r.reference), true
	case fieldVerdict:
		return any(r.verdict), true
	case fieldEvent:
		return any(r.name), true
	case fieldClaim:
		return any(r.status), true
	case fieldAnswer:
		return any(r.answer), true
	case fieldCurrency:
		return any(r.amount.Currency.Code()), true
	case fieldAmount:
		return r.amountIn(t.Amounts), r.hasAmount
	case fieldDay:
		return r.dayIn(t.Days), true
	case fieldIs:
		return any(r.is()...), true
	}
	return false, false
}

// is are the words of the field is that a row meets.
func (r *eventRow) is() []string {
	all := []string{isUndelivered}
	if r.delivered {
		all = []string{isForwarded}
	}
	if r.deliveries > 1 {
		all = append(all, isRedelivered)
	}
	if r.masked {
		all = append(all, isMasked)
	}
	if r.early {
		all = append(all, isEarlyWord)
	}
	return all
}

func (r *eventRow) amountIn(ranges []query.Range) bool {
	return r.hasAmount && slices.ContainsFunc(ranges, func(of query.Range) bool {
		low, high, some := of.Minor(r.amount.Currency.Exponent())
		return some && low <= r.amount.Minor && r.amount.Minor <= high
	})
}

// dayIn is about when it last arrived, in the local time zone.
func (r *eventRow) dayIn(days []query.DayRange) bool {
	day := query.DayOf(fromMilli(r.last).In(time.Local))
	return slices.ContainsFunc(days, func(d query.DayRange) bool { return d.Match(day) })
}
