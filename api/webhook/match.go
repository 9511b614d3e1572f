package webhook

import (
	"cmp"
	"context"
	"math"
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
	isRedelivered: "e.deliveries > 1", isMasked: "e.masked", isEarlyWord: "e.early", isForwarded: forwarded, isUndelivered: "NOT " + forwarded,
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
		"":             anywhere,
		fieldReference: text("paydesk_fold(e.reference)"),
		fieldVerdict:   text("lower(e.verdict)"),
		fieldEvent:     text("paydesk_fold(e.name)"),
		fieldClaim:     text("lower(e.status)"),
		fieldAnswer:    text(answerState()),
		fieldCurrency:  text("lower(e.currency)"),
		fieldAmount:    amount,
		fieldDay:       {At: "e.last", Clock: time.Time.UnixMilli},
		fieldIs:        {Texts: []string{"''"}, Word: func(name string) (string, []any) { return isWords[name], nil }},
	}
}

// meeting is the condition of a search, and its arguments.
func meeting(q Search) (where string, args []any, err error) {
	where, args, err = columns().Where(q.Query)
	until := int64(math.MaxInt64)
	if !q.Until.IsZero() {
		until = q.Until.UnixMilli()
	}
	of := []any{q.Profile, cmp.Or(q.Before, math.MaxInt64), q.From.UnixMilli(), until} // the zero time precedes every event
	return " WHERE e.profile = ? AND e.delivery < ? AND e.last >= ? AND e.last < ? AND " + where, append(of, args...), err
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
		case fieldVerdict, fieldAnswer:
			return "its " + t.Field
		case fieldIs:
			for _, v := range t.Values {
				if v.Text == isForwarded || v.Text == isUndelivered || v.Text == isEarlyWord {
					return fieldIs + ":" + v.Text
				}
			}
		}
	}
	return ""
}

// The fields of [Language].
const (
	fieldEvent     = "event"
	fieldReference = "reference"
	fieldClaim     = "status"
	fieldAnswer    = "answer"
	fieldVerdict   = "verdict"
	fieldAmount    = "amount"
	fieldCurrency  = "currency"
	fieldDay       = "day"
	fieldIs        = "is"
)

// The words of the field is.
const (
	isRedelivered = "redelivered"
	isMasked      = "masked"
	isForwarded   = "forwarded" // every target that it was sent to has accepted it
	isUndelivered = "undelivered"
	isEarlyWord   = "early"
)

// Language returns what can be searched in the inbox. today returns the day that days are counted from.
func Language(today func() query.DayNumber) *query.Language {
	verdicts := make([]query.Word, len(Verdicts))
	for i, v := range Verdicts {
		verdicts[i].Name = string(v)
	}
	return &query.Language{Today: today, Fields: []query.Field{
		{Name: fieldReference, Aliases: []string{"ref"}, Example: "reference:P5KQ*"},
		{Name: fieldVerdict, Kind: query.Words, Words: verdicts, Bare: true, Example: "verdict:disagrees,unknown"},
		{Name: fieldEvent, Aliases: []string{"name"}, Example: "event:payment.failed"},
		{Name: fieldClaim, Label: "status in the event", Aliases: []string{"claim"}, Kind: query.Words, Words: statusWords(), Bare: true, Example: "status:failed"},
		{Name: fieldAnswer, Label: "the service's status", Kind: query.Words, Words: statusWords(), Example: "answer:pending"},
		{Name: fieldAmount, Aliases: []string{"amt"}, Kind: query.Amount, Bare: true, Example: "amount:100..250"},
		{Name: fieldCurrency, Aliases: []string{"cur", "ccy"}, Kind: query.Words, Words: query.Currencies(), Bare: true, Example: "currency:gbp,eur"},
		{Name: fieldDay, Aliases: []string{"date", "time", "since"}, Kind: query.Day, Bare: true, Example: "day:today"},
		{Name: fieldIs, Kind: query.Words, Example: "is:redelivered", Words: []query.Word{
			{Name: isRedelivered, Spellings: []string{"duplicate", "repeated"}}, {Name: isMasked}, {Name: isForwarded, Spellings: []string{"delivered", "replayed"}},
			{Name: isUndelivered}, {Name: isEarlyWord},
		}},
		{Name: "link", Aliases: []string{"alias", "email", "phone", "customer", "operator", "channel", "card"},
			Missing: "Events have no such field. Type the text alone to look for it anywhere in the body."},
	}}
}

// statusWords are the words that the console has for a status, with those of the service.
func statusWords() []query.Word {
	return []query.Word{
		{Name: api.Successful.String(), Spellings: []string{"successfull", "success", "succeeded"}},
		{Name: api.Failed.String(), Spellings: []string{"failure"}},
		{Name: api.Pending.String()},
		{Name: api.Initiated.String()},
		{Name: api.BankAuthRequired.String(), Shown: "BANK CHECK", Spellings: []string{"required_bank_auth"}},
		{Name: api.ActionRequired.String(), Shown: "MUST PAY"},
		{Name: api.Unrecognised.String(), Spellings: []string{"unrecognized"}},
	}
}
