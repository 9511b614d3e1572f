package inbox

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"paydesk/api/webhook"
	"paydesk/screens/detail"
	"paydesk/screens/list"
	"paydesk/ui"
)

// An event is one event with all that is stored of it, and its body as it is drawn.
type event struct {
	webhook.Detail
	body body
}

// reading reads an event in the background. A body that was read before is not read again.
func (m *Model) reading(r webhook.Record, was body) func(context.Context) (event, error) {
	store, profile := m.options.Store, m.options.Profile
	return func(ctx context.Context) (event, error) {
		d, err := store.Get(ctx, profile, r.ID)
		switch {
		case err != nil: // the list says what is wrong
			return event{Detail: webhook.Detail{Record: r}}, err
		case was.of == r.ID:
			return event{d, was}, nil
		}
		return event{d, readBody(d)}, nil
	}
}

// more reads the event that the pane is to show.
func (m *Model) more(r webhook.Record) list.Background {
	read := m.reading(r, m.pane.body)
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
		Lines: func(w int) []string { return m.whole(&e.event, w) }, Commands: m.recordCommands,
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
	}).Ask(m.Scope, m.reading(r, e.body))
}
