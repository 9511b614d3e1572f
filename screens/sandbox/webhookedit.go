package sandbox

import (
	"context"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"paydesk/api/sandbox"
	"paydesk/api/webhook"
	"paydesk/screens/detail"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/ui"
)

// An editor is the form in which a webhook's body is changed: a field for each value, or all of it as one line,
// which may be anything.
type editor struct {
	entry
	targets []string
	parts   []*webhook.Part
	fields  map[*webhook.Part]*ui.TextField
	as      *ui.ChoiceField // how it is written
	to      *ui.ChoiceField // to which URL; shown where there are several
	line    *ui.TextField   // the body as one line
	asLine  bool            // the form has the one line now
}

// The choices of how the body is written.
const (
	byField = iota
	asLine
)

const maxBody = 64 << 10 // characters; the sandbox counts bytes

// edit opens the form for the marked webhook.
func (h *webhookList) edit(open func(nav.Route) tea.Cmd) tea.Cmd {
	d, _ := h.Selected()
	body, targets := h.m.view.body, h.m.view.Targets
	switch {
	case body.of != bodyOf(d.Delivery):
		return h.m.Notify("The body was not read yet: press + again.")
	case len(targets) == 0:
		return h.m.tellSent("")(sandbox.ErrNoWebhook)
	}
	e := &editor{entry: entry{m: h.m}, targets: targets}
	t := h.m.Theme
	e.as = ui.NewChoiceField(t, "Write", "each value in a field, or the whole body as one line", "by field", "as one line")
	e.to = ui.NewChoiceField(t, "Send to", "the URLs that it is sent to", append([]string{"all"}, shortURLs(targets)...)...)
	e.line = ui.NewTextField(t, "Body", "any text, valid JSON or not", ui.Required(), ui.Limit(maxBody))
	e.line.SetValue(webhook.OneLine(body.sent))
	if !e.read(body.sent) {
		e.as.Choose(asLine)
	}
	e.Dialog = detail.NewDialog(t, detail.Asks{
		Title: "Edited webhook", Help: help, Beside: e.preview, Update: e.typed, Submit: e.send,
		Head: func(w int) []string { return []string{t.Rule("Edited webhook", "", w)} },
	}, "send")
	e.layout()
	return open(nav.Over{Screen: e})
}

// Holds implements [ui.Holder].
func (e *editor) Holds() bool { return true }

// typed takes what is typed, and the body along when it is written in the other way.
func (e *editor) typed(msg tea.Msg) ui.FormResult {
	result := e.Form.Update(msg)
	e.follow()
	return result
}

func shortURLs(all []string) (short []string) {
	for _, u := range all {
		short = append(short, shortURL(u))
	}
	return short
}

// read makes a field for each value of a body; false unless it is a JSON object.
func (e *editor) read(body []byte) bool {
	parts, is := webhook.Parts(body)
	if !is || len(parts) == 0 {
		return false
	}
	e.parts, e.fields = parts, map[*webhook.Part]*ui.TextField{}
	for _, p := range webhook.Leaves(parts) {
		e.fields[p] = ui.NewTextField(e.m.Theme, p.Name, p.Path+"; empty leaves it out", ui.Limit(maxBody), ui.Initial(p.Typed()))
	}
	return true
}

// layout gives the form the fields of how the body is written.
func (e *editor) layout() {
	fields := []ui.Field{e.as}
	if len(e.targets) > 1 {
		fields = append(fields, e.to)
	}
	e.asLine = e.as.Chosen() == asLine
	if e.asLine {
		fields = append(fields, e.line)
	} else {
		for _, p := range webhook.Leaves(e.parts) {
			fields = append(fields, e.fields[p])
		}
	}
	e.Form.SetFields(fields...)
}

// follow takes the body along when it is written in the other way.
func (e *editor) follow() {
	switch as := e.as.Chosen() == asLine; {
	case as == e.asLine:
		return
	case as:
		e.line.SetValue(webhook.OneLine(e.fromFields()))
	case !e.read([]byte(e.line.Value())):
		e.as.Choose(asLine)
		e.Warn("Only a JSON object with values can be written by field.")
		return
	}
	e.layout()
}

// body returns what would be sent now.
func (e *editor) body() []byte {
	if e.asLine {
		return []byte(e.line.Value())
	}
	return e.fromFields()
}

func (e *editor) fromFields() []byte {
	return webhook.Compose(e.parts, func(p *webhook.Part) string { return e.fields[p].Value() })
}

// preview is the body, and the value in focus.
func (e *editor) preview(w, h int) []string {
	path := ""
	for p, field := range e.fields {
		if e.Form.Focused() == ui.Field(field) {
			path = p.Path
		}
	}
	body := e.body()
	return present.Request(e.Theme, readable(body, briefWidth, briefHeight), strconv.Itoa(len(body))+" bytes", w, h, path)
}

// send sends the body.
func (e *editor) send() tea.Cmd {
	box, body, to := e.m.sandbox, e.body(), ""
	if i := e.to.Chosen(); i > 0 {
		to = e.targets[i-1]
	}
	return e.act("The edited webhook is sent.", func(ctx context.Context) error { return box.Send(ctx, body, to) })
}
