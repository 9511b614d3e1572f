package journal_test

import (
	"strings"

	"paydesk/api/journal"
	"paydesk/api/query"
)

// today is the day of the tests that search for days.
func today() query.DayNumber { return query.DayOf(newClock().at) }

// containing looks for one text anywhere; for none, it finds everything.
func containing(text string) (q query.Query) {
	if text = strings.TrimSpace(text); text != "" {
		q.Terms = []query.Term{{Values: []query.Value{{Text: text}}}}
	}
	return q
}

// asks is a query as a person types it among the attempts.
func asks(text string) query.Query {
	q, problems := journal.AttemptLanguage(today).Parse(text)
	if len(problems) > 0 {
		panic(problems[0].Text)
	}
	return q
}
