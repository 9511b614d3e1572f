package inbox

import (
	"context"
	"math"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/card"
	"paydesk/api/webhook"
	"paydesk/screens/detail"
	"paydesk/screens/list"
	"paydesk/screens/report"
	"paydesk/ui"
)

// An event is one event with all that is stored of it, and its body, which is the same however often it is delivered.
type event struct {
	webhook.Detail
	bodyOf int64 // the ID of the event whose body was read; 0 for none
	body   report.Quote
}

// reading reads an event in the background. A body that was read before is not read again.
func (m *Model) reading(r webhook.Record, was event) func(context.Context) (event, error) {
	store, profile := m.options.Store, m.options.Profile
	return func(ctx context.Context) (event, error) {
		d, err := store.Get(ctx, profile, r.ID)
		switch {
		case err != nil: // the list says what is wrong
			return event{Detail: webhook.Detail{Record: r}}, err
		case was.bodyOf != r.ID:
			text, json := webhook.Indent(d.Body)
			was.body = report.Quote{Lines: api.Clean(card.Redact(text)).Block(0, api.AnswerLines), JSON: json}
		}
		if len(was.body.Lines) == 0 {
			was.body.Lines = []string{"(no body)"}
		}
		return event{d, r.ID, was.body}, nil
	}
}

// report says what an event claims beside what the service says, with at most so many lines of its body.
func (m *Model) report(e event, most int) report.Report {
	body := e.body
	body.Lines = body.Lines[:min(len(body.Lines), most)]
	r := report.OfEvent(e.Detail, body)
	if e.Verdict == webhook.Disagrees || e.Answer.Problem != "" {
		r.Says[0].Text += " r asks again."
	}
	return r
}

// paneLines are an event beside the list, or the beginning of it below.
func (m *Model) paneLines(_ webhook.Record, w, h int) []string {
	r := m.report(m.pane, h)
	if m.Beside() {
		return r.Pane(m.Theme, w, h)
	}
	return r.Preview(m.Theme, "enter: all of it", w, h)
}

// more reads the event that the pane is to show.
func (m *Model) more(r webhook.Record) list.Background {
	read := m.reading(r, m.pane)
	return func(ctx context.Context) (func(), error) {
		e, err := read(ctx)
		return func() { m.pane = e }, err
	}
}

// An openEvent is one on its own screen.
type openEvent struct {
	event
	problem string
	call    ui.Call[event]
}

// open shows an event: what the list has of it at once, the rest when it has been read.
func (m *Model) open(r webhook.Record) tea.Cmd {
	e := &openEvent{event: event{Detail: webhook.Detail{Record: r}}}
	m.opened = e
	open := m.Open(r, detail.Of{
		Title: "Event",
		Head: func(w int) []string {
			if e.problem == "" {
				return nil
			}
			return m.Theme.ErrorLines(e.problem, w)
		},
		Lines: func(w int) []string { return m.report(e.event, math.MaxInt).Whole(m.Theme, w) }, Commands: m.recordCommands,
		Help: []string{"One webhook as it arrived, with the service's own word on its payment. A webhook is not signed: only the status endpoint settles a payment."},
	})
	return tea.Batch(m.readOpened(), open)
}

// readOpened reads the event that is open, if one is, whenever the list was read. What was shown before stays until then.
func (m *Model) readOpened() tea.Cmd {
	r, is := m.Opened()
	if !is {
		return nil
	}
	e := m.opened
	return e.call.Then(func(a ui.Result[event]) tea.Cmd {
		if e.problem = ""; a.Err != nil {
			e.problem = errorText(a.Err)
		} else {
			e.event = a.Value
		}
		if _, is := m.Opened(); is && m.opened == e {
			m.Renew(e.Record)
		}
		return nil
	}).Ask(m.Scope, m.reading(r, e.event))
}
