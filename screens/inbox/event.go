package inbox

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/card"
	"paydesk/api/webhook"
	"paydesk/screens/detail"
	"paydesk/screens/list"
	"paydesk/screens/report"
)

// An event is one event with all that is stored of it, and its body.
type event struct {
	webhook.Detail
	body    report.Quote // without lines until it was read
	problem string       // why it could not be read again
}

// eventOf is an event as it was read, or what the list has of it before.
func (m *Model) eventOf(r webhook.Record) event {
	if m.event.ID == r.ID {
		return m.event
	}
	return event{Detail: webhook.Detail{Record: r}}
}

// more reads the event that the pane is to show, or that is open. What was shown stays where nothing can be read.
func (m *Model) more(r webhook.Record) list.Background {
	store, profile, e := m.options.Store, m.options.Profile, m.eventOf(r)
	return func(ctx context.Context) (func(), error) {
		d, err := store.Get(ctx, profile, r.ID)
		if err != nil {
			e.problem = errorText(err)
		} else {
			e = event{Detail: d, body: bodyOf(d)}
		}
		return func() {
			m.event = e
			if open, is := m.Opened(); is && open.ID == r.ID {
				m.Renew(e.Record)
			}
		}, err
	}
}

func bodyOf(d webhook.Detail) report.Quote {
	text, json := webhook.Indent(d.Body)
	lines := api.Clean(card.Redact(text)).Block(0, api.AnswerLines)
	if len(lines) == 0 {
		lines = []string{"(no body)"}
	}
	return report.Quote{Lines: lines, JSON: json}
}

// report says what an event claims beside what the service says, with at most so many lines of its body.
func (m *Model) report(record webhook.Record, most int) report.Report {
	e := m.eventOf(record)
	body := e.body
	body.Lines = body.Lines[:min(len(body.Lines), most)]
	r := report.OfEvent(e.Detail, body)
	if e.Verdict == webhook.Disagrees || e.Answer.Problem != "" {
		r.Says[0].Text += " r asks again."
	}
	return r
}

// open shows an event: what the list has of it at once, the rest when it has been read.
func (m *Model) open(r webhook.Record) tea.Cmd {
	return m.Open(r, detail.Of{
		Title: "Event",
		Head: func(w int) []string {
			if e := m.eventOf(r); e.problem != "" {
				return m.Theme.ErrorLines(e.problem, w)
			}
			return nil
		},
		Commands: m.recordCommands,
		Help:     []string{"One webhook as it arrived, with the service's own word on its payment. A webhook is not signed: only the status endpoint settles a payment."},
	})
}
