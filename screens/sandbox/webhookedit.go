package sandbox

import (
	"context"
	"slices"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"paydesk/api/sandbox"
	"paydesk/api/webhook"
	"paydesk/ui"
)

// An editor is the form in which a webhook's body is changed: a field for each value, or all of it as one line,
// which may be anything.
type editor struct {
	m       *Model
	targets []string
	parts   []webhook.Part
	as      *ui.ChoiceField // how it is written
	to      *ui.ChoiceField // to which URL; shown where there are several
	line    *ui.TextField   // the body as one line
	values  []value
	asLine  bool // what the form has now
}

// A value is one field of the body.
type value struct {
	outer, inner int // where it is in the parts; inner is -1 where it is not in an object
	path         string
	field        *ui.TextField
}

// in is the value among the parts.
func (v value) in(parts []webhook.Part) *webhook.Part {
	if v.inner < 0 {
		return &parts[v.outer]
	}
	return &parts[v.outer].Inner[v.inner]
}

// The choices of how the body is written.
const (
	byField = iota
	asLine
)

const maxBody = 64 << 10 // characters; the sandbox counts bytes

// openEdit opens the form for the selected webhook.
func (h *webhookList) openEdit() tea.Cmd {
	d, ok := h.selected()
	body := h.m.view.body
	switch {
	case !ok:
		return h.m.Notify("There is no webhook to edit. Send a sample first (E).")
	case body.of != bodyOf(d):
		return h.m.Notify("The body was not read yet: press + again.")
	case len(h.targets) == 0:
		return h.m.tellSent("")(sandbox.ErrNoWebhook)
	}
	e := &editor{m: h.m, targets: h.targets}
	t := h.m.Theme
	e.as = ui.NewChoiceField(t, "Write", "each value in a field, or the whole body as one line", "by field", "as one line")
	e.to = ui.NewChoiceField(t, "Send to", "the URLs that it is sent to", append([]string{"all"}, shortURLs(h.targets)...)...)
	e.line = ui.NewTextField(t, "Body", "any text, also what is not JSON", ui.Required(), ui.Limit(maxBody))
	e.line.SetValue(webhook.OneLine(body.sent))
	if !e.read(body.sent) {
		e.as.Choose(asLine)
	}
	e.open()
	return nil
}

func shortURLs(all []string) (short []string) {
	for _, u := range all {
		short = append(short, shortURL(u))
	}
	return short
}

// open shows the form.
func (e *editor) open() {
	e.m.entry = &entry{
		form: ui.NewForm(e.m.Theme), title: "Edited webhook", words: "The edited webhook is sent.",
		blamed:  func() ui.Field { return e.m.entry.form.Focused() },
		changed: e.follow, do: e.send, preview: e.preview,
	}
	e.m.entry.form.SubmitLabel("send")
	e.layout()
}

// read makes a field for each value of a body; false unless it is a JSON object.
func (e *editor) read(body []byte) bool {
	parts, is := webhook.Parts(body)
	if !is || len(parts) == 0 {
		return false
	}
	e.parts, e.values = parts, nil
	for i, p := range parts {
		if p.Inner == nil {
			e.add(value{outer: i, inner: -1, path: p.Name})
		}
		for j, q := range p.Inner {
			e.add(value{outer: i, inner: j, path: p.Name + "." + q.Name})
		}
	}
	return true
}

// add makes the field of a value.
func (e *editor) add(v value) {
	p := v.in(e.parts)
	v.field = ui.NewTextField(e.m.Theme, p.Name, v.path+"; empty leaves it out", ui.Limit(maxBody), ui.Initial(webhook.Typed(p.Value)))
	e.values = append(e.values, v)
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
		for _, v := range e.values {
			fields = append(fields, v.field)
		}
	}
	e.m.entry.form.SetFields(fields...)
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
		e.m.Warn("Only a JSON object with values can be written by field.")
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
	parts := slices.Clone(e.parts)
	for i := range parts {
		parts[i].Inner = slices.Clone(parts[i].Inner)
	}
	for _, v := range e.values {
		at := v.in(parts)
		at.Value = webhook.ParseValue(v.field.Value(), at.Value)
	}
	return webhook.Compose(parts)
}

// preview is the body, and the value in focus.
func (e *editor) preview() (text, note, path string) {
	for _, v := range e.values {
		if e.m.entry.form.Focused() == ui.Field(v.field) {
			path = v.path
		}
	}
	body := e.body()
	return readable(body, briefWidth, briefHeight), strconv.Itoa(len(body)) + " bytes", path
}

// send takes the body and sends it.
func (e *editor) send() func(context.Context) error {
	box, body, to := e.m.sandbox, e.body(), ""
	if i := e.to.Chosen(); i > 0 {
		to = e.targets[i-1]
	}
	return func(ctx context.Context) error { return box.Send(ctx, body, to) }
}
