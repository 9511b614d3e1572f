package inbox

import (
	"cmp"
	"context"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/api/webhook"
	"paydesk/screens/present"
	"paydesk/ui"
)

// A replay asks where an event is sent again.
type replay struct {
	of     webhook.Record
	form   *ui.Form
	target *ui.TextField
	call   ui.Call[webhook.Forward]
}

func (r *replay) typing() bool { return !r.call.Pending() && r.form.Typing() }

func (r *replay) keys() []key.Binding {
	if r.call.Pending() {
		return nil
	}
	return r.form.Keys()
}

// openReplay asks for the target of the event. It is the last one, where there was one.
func (m *Model) openReplay() tea.Cmd {
	r, some := m.current()
	switch {
	case !some:
		return m.noneSelected()
	case m.options.Replay == nil:
		return m.Notify("Nothing can be sent from here.")
	case r.Masked:
		return m.Notify("A masked event cannot be replayed: it is no longer what was sent.")
	}
	m.stop()
	check := m.options.Target
	field := ui.NewTextField(m.Theme, "Target", "a URL on this host, or one that the profile names", ui.Required(), ui.Limit(512), ui.Checked(func(s string) string {
		if err := check(s); err != nil {
			return strings.TrimSuffix(present.Sentence(err.Error()), ".")
		}
		return ""
	}))
	m.replay = &replay{of: r, target: field, form: ui.NewForm(m.Theme, field)}
	m.replay.form.SubmitLabel("send")
	field.SetValue(m.lastTarget(r))
	return nil
}

// lastTarget is where this event was sent, or any, or what the profile names.
func (m *Model) lastTarget(r webhook.Record) string {
	target := m.target
	for _, e := range []*event{&m.pane, m.opened()} {
		if e != nil && e.some && e.ID == r.ID && len(e.Sent) > 0 {
			target = cmp.Or(target, e.Sent[0].Target)
		}
	}
	if target == "" && len(m.options.Targets) > 0 {
		target = m.options.Targets[0]
	}
	return target
}

// opened is the event that is open, nil for none.
func (m *Model) opened() *event {
	if m.detail == nil {
		return nil
	}
	return &m.detail.event
}

// closeReplay goes back. What is being sent is no longer waited for.
func (m *Model) closeReplay() {
	m.replay.call.Drop()
	m.replay = nil
}

// updateReplay handles input, and sends once the form was submitted. The form stays until the target has accepted.
func (m *Model) updateReplay(msg tea.Msg) tea.Cmd {
	r := m.replay
	if r.call.Pending() || r.form.Update(msg) != ui.Submitted {
		return nil
	}
	send, id, target := m.options.Replay, r.of.ID, r.target.Value()
	m.target = target
	return r.call.Then(m.replayed).Timed(ui.NoLimit).Ask(m.Scope, func(ctx context.Context) (webhook.Forward, error) {
		return send(ctx, id, target)
	})
}

func (m *Model) replayed(a ui.Result[webhook.Forward]) tea.Cmd {
	r, f := m.replay, a.Value
	switch {
	case a.Err != nil:
		r.form.SetError(r.target, strings.TrimSuffix(errorText(a.Err), "."))
		return nil
	case f.Problem != "":
		r.form.SetError(r.target, strings.TrimSuffix(outcome(f), "."))
		return m.refresh()
	}
	m.closeReplay()
	m.Notify("Sent to " + present.Plain(f.Target) + ". " + outcome(f))
	return m.refresh()
}

// viewReplay draws the form, and what will be sent.
func (m *Model) viewReplay() (string, *tea.Cursor) {
	r := m.replay
	lines := []string{
		m.Theme.Strong.Render(ui.Fit("Send "+name(r.of)+" · "+reference(r.of)+" again", m.W)), "",
	}
	lines = append(append(lines, ui.Wrap("The body is sent exactly as it came, with its headers. Nothing is sent to the payment service.", m.W)...), "")
	if r.call.Pending() {
		return ui.Lines(m.W, m.H, append(lines, m.Theme.WaitLines(r.call.Wait(), "Sending", m.W)...)...), nil
	}
	return m.Under(lines, func(w, h int) (string, *tea.Cursor) {
		under := m.namedTargets(w)
		body, cursor := r.form.View(w, max(min(h-len(under), r.form.Height()), 0))
		return ui.Lines(w, h, append(strings.Split(body, "\n"), under...)...), cursor
	})
}

// namedTargets are the targets that the profile names.
func (m *Model) namedTargets(w int) []string {
	if len(m.options.Targets) == 0 {
		return nil
	}
	return append([]string{""}, m.Theme.MutedLines("The profile names: "+present.Plain(strings.Join(m.options.Targets, ", ")), w)...)
}
