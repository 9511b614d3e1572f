package cli

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"paydesk/api"
	"paydesk/api/export"
	"paydesk/api/query"
	"paydesk/screens/present"
)

// readQuery reads the query of --where.
func (p *program) readQuery(l *query.Language, text string) (query.Query, error) {
	return p.readQueryOf("--where", l, text)
}

// readQueryOf reads a query. What is wrong with it is said below the term that it is about, before anything is opened or
// requested. name is what the query is called.
func (p *program) readQueryOf(name string, l *query.Language, text string) (query.Query, error) {
	q, problems := l.Parse(text)
	if len(problems) == 0 {
		return q, nil
	}
	p.warn("paydesk: %s cannot be understood:", name)
	shown := export.Masked(api.Clean(text)) == text // otherwise the marks would be below something else
	if shown {
		p.say("  %s", text)
	}
	for _, wrong := range problems {
		if shown {
			before := min(wrong.Start, len(text))
			term := text[before:max(min(wrong.End, len(text)), before)]
			p.say("  %s%s", strings.Repeat(" ", ansi.StringWidth(text[:before])), strings.Repeat("^", max(ansi.StringWidth(term), 1)))
		}
		p.say("  %s", wrong.Text)
	}
	var texts []string
	for _, wrong := range problems {
		texts = append(texts, wrong.Text)
	}
	return q, &refusal{reason: badQuery, Problem: present.Problem{What: name + " cannot be understood.", Detail: strings.Join(texts, " ")}, said: true}
}
