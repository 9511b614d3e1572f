package webhook

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"paydesk/api"
	"paydesk/api/query"
	"paydesk/api/statefile"
)

// forwarded is the condition that every target that an event was sent to has accepted it.
const forwarded = `coalesce((SELECT count(*) > 0 AND min(accepted) FROM
	(SELECT max(problem = '') AS accepted FROM forwards WHERE event = e.id GROUP BY target)), FALSE)`

// isWords are the conditions of the field is.
var isWords = map[string]string{
	"redelivered": "e.deliveries > 1", "masked": "e.masked", "early": "e.early", "forwarded": forwarded, "undelivered": "NOT " + forwarded,
}

// answerState is the word of [api.State] that the service's status means, in lower case; "" before there is one.
var answerState = sync.OnceValue(func() string {
	sql := "CASE lower(trim(coalesce(p.status, ''), ' ' || char(9, 10, 11, 12, 13))) WHEN '' THEN ''"
	for state := api.Unrecognised; state <= api.Claimed; state++ {
		for _, word := range state.Spellings() {
			sql += " WHEN '" + word + "' THEN '" + strings.ToLower(state.String()) + "'"
		}
	}
	return sql + " ELSE '" + strings.ToLower(api.Unrecognised.String()) + "' END"
})

// columns returns what is searched of events.
func columns() query.Columns {
	amount := query.Column{Minor: "e.minor", Currency: "e.currency"}
	anywhere := amount
	anywhere.Texts = []string{"paydesk_fold(e.name)", "paydesk_fold(e.reference)", "lower(e.verdict)", "lower(e.status)", answerState(), "paydesk_fold(e.body)"}
	text := func(expression string) query.Column { return query.Column{Texts: []string{expression}} }
	return query.Columns{
		"":          anywhere,
		"reference": text("paydesk_fold(e.reference)"),
		"verdict":   text("lower(e.verdict)"),
		"event":     text("paydesk_fold(e.name)"),
		"status":    text("lower(e.status)"),
		"answer":    text(answerState()),
		"currency":  text("lower(e.currency)"),
		"amount":    amount,
		"day":       {At: "e.last", Clock: time.Time.UnixMilli},
		"is":        {Texts: []string{"''"}, Word: func(name string) (string, []any) { return isWords[name], nil }},
	}
}

// meeting is the condition of a search, and its arguments.
func meeting(q Search) (where string, args []any, err error) {
	where, args, err = columns().Where(q.Query)
	of := []any{q.Profile, cmp.Or(q.Before, math.MaxInt64), q.From.UnixMilli()} // the zero time precedes every event
	return " WHERE e.profile = ? AND e.delivery < ? AND e.last >= ? AND " + where, append(of, args...), err
}

// Meets reports whether a stored event meets a query of [Language], as it is now.
func (s *Store) Meets(ctx context.Context, profile string, event int64, q query.Query) (met bool, err error) {
	if q.Empty() {
		return true, nil
	}
	meets, args, err := columns().Where(q)
	if err != nil {
		return false, err
	}
	err = s.read(ctx, func(db statefile.Querier) error {
		return db.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM events AS e "+withAnswer+" WHERE e.profile = ? AND e.id = ? AND "+meets+")",
			append([]any{profile, event}, args...)...).Scan(&met)
	})
	return met, err
}

// KnownLater names the first part of a query that has no value yet when an event arrives; "" for none.
func KnownLater(q query.Query) string {
	for _, t := range q.Terms {
		switch t.Field {
		case "verdict", "answer":
			return "its " + t.Field
		case "is":
			for _, v := range t.Values {
				if slices.Contains([]string{"forwarded", "undelivered", "early"}, v.Text) {
					return "is:" + v.Text
				}
			}
		}
	}
	return ""
}

// Language returns what can be searched in the inbox. today returns the day that days are counted from.
func Language(today func() query.DayNumber) *query.Language {
	verdicts := make([]query.Word, len(Verdicts))
	for i, v := range Verdicts {
		verdicts[i].Name = string(v)
	}
	return &query.Language{Today: today, Fields: []query.Field{
		{Name: "reference", Aliases: []string{"ref"}, Example: "reference:P5KQ*"},
		{Name: "verdict", Kind: query.Words, Words: verdicts, Bare: true, Example: "verdict:disagrees,unknown"},
		{Name: "event", Aliases: []string{"name"}, Example: "event:payment.failed"},
		{Name: "status", Label: "status in the event", Aliases: []string{"claim"}, Kind: query.Words, Words: query.Statuses(), Bare: true, Example: "status:failed"},
		{Name: "answer", Label: "the service's status", Kind: query.Words, Words: query.Statuses(), Example: "answer:pending"},
		{Name: "amount", Aliases: []string{"amt"}, Kind: query.Amount, Bare: true, Example: "amount:100..250"},
		{Name: "currency", Aliases: []string{"cur", "ccy"}, Kind: query.Words, Words: query.Currencies(), Bare: true, Example: "currency:gbp,eur"},
		{Name: "day", Aliases: []string{"date", "time", "since"}, Kind: query.Day, Bare: true, Example: "day:today"},
		{Name: "is", Kind: query.Words, Example: "is:redelivered", Words: []query.Word{
			{Name: "redelivered", Spellings: []string{"duplicate", "repeated"}}, {Name: "masked"}, {Name: "forwarded", Spellings: []string{"delivered", "replayed"}},
			{Name: "undelivered"}, {Name: "early"},
		}},
		{Name: "link", Aliases: []string{"alias", "email", "phone", "customer", "operator", "channel", "card"},
			Missing: "Events have no such field. Type the text alone to look for it anywhere in the body."},
	}}
}
