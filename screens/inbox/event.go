package inbox

import (
	"context"
	"errors"

	tea "charm.land/bubbletea/v2"

	"paydesk/api/webhook"
	"paydesk/screens/detail"
	"paydesk/ui"
)

// An event is one event with all that is stored of it.
type event struct {
	webhook.Detail
	body body
	some bool
	call ui.Call[readEvent]
}

// A readEvent is what was read of one, with its body as it is drawn.
type readEvent struct {
	webhook.Detail
	body body
}

// An openEvent is one on its own screen.
type openEvent struct {
	event
	problem string
	screen  *detail.Model
}

// open shows the selected event: what the list has of it at once, the rest when it has been read.
func (m *Model) open() tea.Cmd {
	r, some := m.selected()
	if !some {
		return m.noneSelected()
	}
	m.stop() // going back leads to the same place
	e := &openEvent{event: event{Detail: webhook.Detail{Record: r}}}
	m.opened = e
	e.screen = detail.New(&m.Body, detail.Of{
		Title: "Event",
		Head: func(w int) []string {
			if e.problem == "" {
				return nil
			}
			return m.Theme.ErrorLines(e.problem, w)
		},
		Lines: func(w int) []string { return m.whole(&e.event, w) }, Commands: m.recordCommands,
		Help: []string{"One webhook as it arrived, with the service's own word on its payment. A webhook is not signed: only the status endpoint settles a payment."},
		Left: func() { m.opened = nil },
	})
	return tea.Batch(m.loadDetail(), e.screen.Open())
}

// loadDetail reads the open event.
func (m *Model) loadDetail() tea.Cmd {
	if m.opened == nil {
		return nil
	}
	return m.read(&m.opened.event, m.opened.ID, func(err error) {
		if m.opened.problem = ""; err != nil {
			m.opened.problem = errorText(err)
		}
	})
}

// readPane reads the event that the pane is to show.
func (m *Model) readPane() tea.Cmd {
	row := m.panes.Row()
	if _, h := m.panes.PaneSize(); h == 0 || row < 0 || row >= len(m.list.rows) {
		m.pane.some = false
		return nil
	}
	r := m.list.rows[row]
	return m.read(&m.pane, r.ID, func(err error) {
		if errors.Is(err, webhook.ErrNotFound) { // it was dropped; the list says what is wrong otherwise
			m.pane.Detail, m.pane.body, m.pane.some = webhook.Detail{Record: r.Record}, body{}, true
		}
	})
}

// read reads an event; what was shown before stays until then.
func (m *Model) read(e *event, id int64, done func(error)) tea.Cmd {
	store, profile, was := m.options.Store, m.options.Profile, e.body
	return e.call.Then(func(a ui.Result[readEvent]) tea.Cmd {
		if a.Err == nil {
			e.Detail, e.body, e.some = a.Value.Detail, a.Value.body, true
		}
		done(a.Err)
		m.layout()
		return nil
	}).Ask(m.Scope, func(ctx context.Context) (readEvent, error) {
		d, err := store.Get(ctx, profile, id)
		if err != nil || was.of == id {
			return readEvent{d, was}, err
		}
		return readEvent{d, readBody(d)}, nil
	})
}

// selected is the event under the mark.
func (m *Model) selected() (webhook.Record, bool) {
	r, some := ui.Selected(m.list.table, m.list.rows)
	return r.Record, some
}

// current is the event that is open, or else selected.
func (m *Model) current() (webhook.Record, bool) {
	if m.opened != nil {
		return m.opened.Record, true
	}
	return m.selected()
}

// shown is the event that is open, or else in the pane: which keys there are follows it.
func (m *Model) shown() (webhook.Record, bool) {
	if m.opened != nil {
		return m.opened.Record, true
	}
	_, h := m.panes.PaneSize()
	return m.pane.Record, m.pane.some && h > 0 && len(m.list.rows) > 0
}

func (m *Model) noneSelected() tea.Cmd { return m.Notify("No event is selected.") }
