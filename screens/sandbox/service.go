package sandbox

import (
	"context"
	"errors"

	tea "charm.land/bubbletea/v2"

	"paydesk/api/sandbox"
	"paydesk/screens/present"
	"paydesk/ui"
)

// A view holds what was last read.
type view struct {
	sandbox.State
	faults  []sandbox.Fault
	body    body // of the webhook that is shown
	read    bool
	problem string // why the last reading failed; "" when it did not
}

// A body holds what a webhook sends, as people read it.
type body struct {
	of    string // the delivery, by its ID and when it was made: a reset begins the IDs again
	sent  []byte // never shown
	text  string // cleaned and indented; "" where it could not be read
	brief string // the beginning of it, for below or beside the list
}

// A done is an action that was carried out, and the state after it.
type done struct {
	state  sandbox.State
	unread error // why there is no state
}

// look reads the state, unless that or an action is on its way.
func (m *Model) look() tea.Cmd {
	if m.reading.Pending() || m.acting.Pending() {
		return nil
	}
	box, faults, read, wanted := m.sandbox, m.view.faults, m.view.body, sandbox.Delivery{}
	if m.webhooks != nil {
		wanted = m.webhooks.wanted()
	}
	return m.reading.Then(func(r ui.Result[view]) tea.Cmd {
		if r.Err != nil {
			m.view.problem = explain(r.Err)
		} else {
			m.view = r.Value
		}
		return m.show()
	}).Timed(ui.NoLimit).Ask(m.Scope, func(ctx context.Context) (v view, err error) {
		if v.faults = faults; faults == nil {
			if v.faults, err = box.Faults(ctx); err != nil {
				return v, err
			}
		}
		v.State, err = box.State(ctx)
		v.read, v.body = true, read
		if wanted.ID != "" && err == nil {
			sent, _ := box.Body(ctx, wanted.ID) // where it has none, there is nothing to show
			v.body = newBody(wanted, sent)
		}
		return v, err
	})
}

// stillDoing answers a key that would do something meanwhile.
const stillDoing = "The sandbox is still doing what you asked for."

// act does something to the sandbox and reads what came of it. then gets the error of the first; it is not called where only the second failed.
func (m *Model) act(do func(context.Context) error, then func(error) tea.Cmd) tea.Cmd {
	if m.acting.Pending() {
		return m.Warn(stillDoing)
	}
	m.reading.Drop()
	box := m.sandbox
	return m.acting.Then(func(r ui.Result[done]) tea.Cmd {
		if r.Value.unread == nil {
			m.view.State, m.view.problem = r.Value.state, ""
		} else {
			m.view.problem = explain(r.Value.unread)
		}
		if r.Err == nil && r.Value.unread != nil { // how things stand now is not known
			return tea.Batch(m.Warn("It was done. "+m.view.problem), m.show())
		}
		return tea.Batch(then(r.Err), m.show())
	}).Ask(m.Scope, func(ctx context.Context) (d done, err error) {
		err = do(ctx)
		d.state, d.unread = box.State(ctx)
		return d, err
	})
}

// explain words an error of the sandbox.
func explain(err error) string {
	switch {
	case errors.Is(err, sandbox.ErrNoSandbox):
		return "The sandbox does not answer."
	case errors.Is(err, context.DeadlineExceeded):
		return "The sandbox does not answer in time."
	}
	return present.Sentence(err.Error())
}

// payment is a payment as it was last read.
func (m *Model) payment(reference string) (payment, bool) {
	for _, v := range m.view.Payments {
		if v.Reference == reference {
			return payment{v}, true
		}
	}
	return payment{}, false
}
