package present

import (
	"strings"

	"paydesk/api/query"
	"paydesk/ui"
)

// ReadQuery returns what a filter says under a query of a language while it is typed.
func ReadQuery(l *query.Language) func(text string) ui.Reading {
	return func(text string) (r ui.Reading) {
		q, problems := l.Parse(text)
		for _, t := range q.Terms {
			r.Terms = append(r.Terms, ui.Remark{Start: t.Start, End: t.End, Text: t.Meaning()})
		}
		for _, p := range problems {
			r.Problems = append(r.Problems, ui.Remark{Start: p.Start, End: p.End, Text: p.Text})
		}
		return r
	}
}

// QueryFields names what can be searched in a language, for a help page.
func QueryFields(l *query.Language) string {
	var names []string
	for _, f := range l.Fields {
		if f.Missing == "" {
			names = append(names, f.Name+":")
		}
	}
	return "Fields of a search: " + strings.Join(names, " ")
}
