package inbox

import (
	"paydesk/api"
	"paydesk/api/card"
	"paydesk/api/webhook"
	"paydesk/ui"
)

// A body is what an event brought, in lines that may be drawn. An event has one body, however often it is delivered.
type body struct {
	of    int64    // the ID of the event; 0 for a body that was not read
	lines []string // cleaned, not wrapped
	json  bool

	drawn []string // as they were drawn last
	w     int      // in so many cells
}

// readBody cleans a body, and indents it where it is JSON.
func readBody(d webhook.Detail) body {
	text, is := webhook.Indent(d.Body)
	return body{of: d.ID, json: is, lines: api.Clean(card.Redact(text)).Block(0, api.AnswerLines)}
}

// bodyLines are a body in w cells, whole or at most some of its lines; 0 is all. A gutter stands before each, so that
// none is read as one of the console.
func (m *Model) bodyLines(b *body, w, most int) []string {
	switch {
	case b.of == 0:
		return nil
	case len(b.lines) == 0:
		return []string{"(no body)"}
	case most > 0:
		return m.draw(b, w, most)
	}
	if b.drawn == nil || b.w != w {
		b.drawn, b.w = m.draw(b, w, 0), w
	}
	return b.drawn
}

func (m *Model) draw(b *body, w, most int) (lines []string) {
	gutter := m.Theme.Muted.Render("│ ")
	for _, l := range b.lines {
		if most > 0 && len(lines) >= most {
			return lines[:most]
		}
		parts := ui.Wrap(l, w-2)
		if b.json {
			parts = m.Theme.JSONLine(l, w-2)
		}
		for _, part := range parts {
			lines = append(lines, gutter+part)
		}
	}
	return lines
}

// bodyTitle is above a body.
func bodyTitle(r webhook.Record) string {
	if r.Masked {
		return "Body, masked"
	}
	return "Body as it came"
}
