package sandbox

import (
	"context"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"paydesk/api/sandbox"
	"paydesk/api/webhook"
	"paydesk/screens/detail"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/ui"
)

// An editor is the form in which a webhook's body is changed: a field for each of its lines. What they make may be anything.
type editor struct {
	entry
	targets []string
	to      *ui.ChoiceField // to which URL; shown where there are several
	lines   []*ui.TextField
	indents []string // the blanks that each line begins with in the form alone
}

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
	t, choices := h.m.Theme, []string{"all"}
	for _, u := range targets {
		choices = append(choices, shortURL(u))
	}
	e := &editor{entry: entry{m: h.m, sends: true}, targets: targets, to: ui.NewChoiceField(t, "Send to", "the URLs that it is sent to", choices...)}
	var fields []ui.Field
	if len(targets) > 1 {
		fields = append(fields, e.to)
	}
	typed := webhook.Lines(body.sent)
	for i, line := range typed {
		f, indent := e.field(i, line), ""
		if len(typed) > 1 { // a body on one line has its own blanks
			indent = line[:len(line)-len(strings.TrimLeft(line, " "))]
		}
		e.lines, e.indents, fields = append(e.lines, f), append(e.indents, indent), append(fields, f)
	}
	e.Dialog = detail.NewDialog(t, detail.Asks{Title: "Edited webhook", Help: help, Head: e.head, Submit: e.send}, "send", fields...)
	if at := slices.IndexFunc(e.lines, func(f *ui.TextField) bool { return f.InputError() != "" }); at >= 0 {
		e.Form.FocusOn(e.lines[at])
	}
	return open(nav.Over{Screen: e})
}

// field is the field of a line. One that no field takes, such as a card number, is empty, and nothing is sent until a person has
// edited it: an empty line is left out.
func (e *editor) field(i int, line string) (f *ui.TextField) {
	lost := false
	f = ui.NewTextField(e.m.Theme, "Line "+strconv.Itoa(i+1), "any text, valid JSON or not; an empty line is left out",
		ui.Limit(maxBody), ui.Initial(line), ui.RequiredWhile(func() string {
			if lost && f.Edits() == 0 {
				return "This line could not be copied: type one in its place"
			}
			return ""
		}))
	lost = f.InputError() != ""
	return f
}

// Holds implements [ui.Holder].
func (e *editor) Holds() bool { return true }

// body returns what would be sent now, see [webhook.OfLines].
func (e *editor) body() (body []byte, broken int) {
	var all []string
	for i, line := range e.lines {
		all = append(all, strings.TrimPrefix(line.Text(), e.indents[i]))
	}
	return webhook.OfLines(all)
}

// head says what the lines make.
func (e *editor) head(w int) []string {
	body, broken := e.body()
	note := strconv.Itoa(len(body)) + " bytes"
	if broken > 0 {
		note += " · not JSON from line " + strconv.Itoa(broken)
	}
	return []string{e.Theme.Rule("Edited webhook", note, w)}
}

// send sends the body.
func (e *editor) send() tea.Cmd {
	body, _ := e.body()
	box, to := e.m.sandbox, ""
	if i := e.to.Chosen(); i > 0 {
		to = e.targets[i-1]
	}
	return e.act("The edited webhook is sent.", func(ctx context.Context) error { return box.Send(ctx, body, to) })
}

// openURL asks where to send webhooks, too. Only payments that become final from then on are sent.
func (h *webhookList) openURL() tea.Cmd {
	f := ui.NewTextField(h.m.Theme, "Webhook", "http or https URL that final payments are posted to", ui.Required())
	box := h.m.sandbox
	return h.m.openEntry("URL", f, nil, "Payments that become final are now sent there.", func(ctx context.Context, url string) error {
		return box.ChangeWebhooks(ctx, url, "")
	})
}

// A urlCount is a URL and what became of the webhooks to it.
type urlCount struct {
	url             string
	sent, delivered int
}

// openURLs opens the choice of the URL that is removed: the only one may be that of the inbox.
func (h *webhookList) openURLs() tea.Cmd {
	m, box := h.m, h.m.sandbox
	of := chooser("Remove a webhook URL", "URL", nil, func(c urlCount) []ui.Cell {
		return []ui.Cell{{Text: c.url}, {Text: strconv.Itoa(c.delivered) + " of " + strconv.Itoa(c.sent)}}
	}, ui.Column{Title: "URL", Width: 20, Grow: true}, ui.Column{Title: "Delivered", Width: 12})
	of.All = m.urlCounts
	of.Says = func(_ urlCount, _ bool, w, _ int) []present.Line {
		return present.Rows(rankKeep, ui.Wrap("Webhooks that a removed URL has not received go to the next URL that you add.", w)...)
	}
	of.Commands = func(one urlCount, some bool) ui.Commands {
		return ui.Commands{
			{Key: ui.Bind("enter", "remove"), On: some, Do: func() tea.Cmd {
				words := "Webhooks are no longer sent to " + shortURL(one.url) + "."
				return tea.Batch(m.act(func(ctx context.Context) error { return box.ChangeWebhooks(ctx, "", one.url) }, m.tell(words)), nav.Pop)
			}},
			{Key: ui.Bind("X", "remove all"), On: true, Do: func() tea.Cmd {
				return tea.Batch(m.act(func(ctx context.Context) error { return box.SetWebhooks(ctx, nil) }, m.tell("Webhooks are no longer sent.")), nav.Pop)
			}},
		}
	}
	return detail.NewChooser(m.Body, of).Open(0)
}

// urlCounts are the URLs that webhooks are sent to.
func (m *Model) urlCounts() (all []urlCount) {
	for _, u := range m.view.Targets {
		c := urlCount{url: u}
		for _, d := range m.view.Deliveries {
			if d.Target == u {
				c.sent++
			}
			if d.Target == u && d.Delivered {
				c.delivered++
			}
		}
		all = append(all, c)
	}
	return all
}
