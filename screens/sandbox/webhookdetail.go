package sandbox

import (
	"bytes"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/card"
	"paydesk/api/sandbox"
	"paydesk/api/webhook"
	"paydesk/screens/detail"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/ui"
)

// The ranks of what is below a webhook's facts: the latest try stays longest, then the others.
const (
	rankLastTry = rankMoney
	rankTries   = rankWhere
	rankBody    = rankMore
)

// bodyOf names the delivery that a body belongs to.
func bodyOf(d sandbox.Delivery) string { return d.ID + " " + d.Made.Format(time.RFC3339Nano) }

// wanted is the webhook that is shown and whose body was not read yet; the zero one for none.
func (h *webhookList) wanted() (none sandbox.Delivery) {
	if d, ok := h.Shown(); ok && h.m.view.body.of != bodyOf(d.Delivery) {
		return d.Delivery
	}
	return none
}

// The cells and the lines of a body that are shown: to break a long one into lines takes time.
const (
	wholeWidth, wholeHeight = 2_000, 0
	briefWidth, briefHeight = 400, 60
)

// newBody is the body of a webhook.
func newBody(d sandbox.Delivery, sent []byte) body {
	return body{bodyOf(d), sent, readable(sent, wholeWidth, wholeHeight), readable(sent, briefWidth, briefHeight)}
}

// readable is a body as people read it, with at most height lines of at most width cells, 0 for any: indented where it is JSON.
// What may be a card number in it is hidden.
func readable(sent []byte, width, height int) string {
	text, _ := webhook.Indent(sent)
	return shownText(text, width, height)
}

func shownText(text string, width, height int) string {
	return strings.Join(api.Clean(card.Redact(text)).Block(width, height), "\n")
}

// says describes a webhook: how it is delivered, all tries, and what is sent.
func (h *webhookList) says(d delivery, some bool, w, _ int) []present.Line {
	if !some {
		return nil
	}
	return h.details(d, h.m.view.body.brief, w)
}

// details describes a webhook; text is its body as people read it, or the beginning of that.
func (h *webhookList) details(d delivery, text string, w int) []present.Line {
	made := present.Clock(d.Made)
	if d.Edited {
		made += ", edited by hand"
	}
	_, now := d.state()
	if d.Sample {
		now = d.Reference + " belongs to no payment. " + now
	}
	lines := h.m.facts(w, fact{rankMore, "Event", d.Event}, fact{rankMore, "Reference", d.Reference}, fact{rankMore, "Made", made},
		fact{rankWhere, "Sent to", d.Target}, fact{rankKeep, "Now", now})
	lines = append(lines, h.tries(d.Delivery, w)...)
	if body := h.m.view.body; body.of == bodyOf(d.Delivery) {
		note := strconv.Itoa(len(body.sent)) + " bytes"
		lines = append(lines, present.Line{Rank: rankBody, Text: h.m.Theme.Rule("Body", note, w)})
		lines = append(lines, present.Rows(rankBody, h.m.Theme.JSON(text, w)...)...)
	}
	return lines
}

// tries lists the tries, the last one first, so that a low window has that.
func (h *webhookList) tries(d sandbox.Delivery, w int) (lines []present.Line) {
	if len(d.Tries) == 0 {
		return nil
	}
	lines = append(lines, present.Line{Rank: rankLastTry, Text: h.m.Theme.Rule("Tries", "newest first", w)})
	for i := range d.Tries {
		t, rank := d.Tries[len(d.Tries)-1-i], rankTries
		if i == 0 {
			rank = rankLastTry
		}
		result := strings.TrimSuffix(strings.TrimPrefix(t.Problem, "The receiver "), ".")
		if result == "" {
			result = "answered HTTP " + strconv.Itoa(t.Status)
		}
		if t.Address != d.Target {
			result += ", at " + t.Address
		}
		when := h.m.Theme.Muted.Render(present.Clock(t.At)) + "  " + ui.Fit(present.Took(t.Took), tookWidth)
		for j, l := range ui.Wrap(result, max(w-whenWidth, 1)) {
			if j > 0 {
				when = ui.Fit("", whenWidth-2)
			}
			lines = append(lines, present.Line{Rank: rank, Text: ui.Fit(when+"  "+l, w)})
		}
	}
	return lines
}

const (
	tookWidth = 6                                   // cells of how long a try took
	whenWidth = len("15:04:05") + 2 + tookWidth + 2 // before what came of it
)

// openWhole opens the marked webhook on a screen of its own.
func (h *webhookList) openWhole() tea.Cmd {
	h.whole = detail.New(h.Body, detail.Of{Title: "Webhook", Lines: h.wholeLines, Commands: h.wholeCommands, Help: help, Left: func() { h.whole = nil }})
	return h.whole.Open()
}

// wholeLines describes the marked webhook with its whole body.
func (h *webhookList) wholeLines(w int) (lines []string) {
	d, ok := h.Selected()
	if !ok {
		return nil
	}
	for _, l := range h.details(d, h.m.view.body.text, w) {
		lines = append(lines, l.Text)
	}
	return lines
}

func (h *webhookList) wholeCommands() ui.Commands {
	return ui.Commands{
		{Key: ui.Bind("enter", "send again"), On: true, Do: h.redeliver},
		{Key: ui.Bind("z", "less"), On: true, Do: func() tea.Cmd { return nav.Pop }},
		{Key: ui.Bind("+", "edit a copy"), On: true, Do: func() tea.Cmd { return h.edit(nav.ReplaceWith) }},
		{Key: ui.Bind("y", "copy body"), On: true, Do: h.copy},
	}
}

// What is copied is whole: copyLimit is what terminals were seen to take, with its encoding, and copyLines what a
// text keeps when it is cleaned.
const (
	copyLimit = 48 << 10
	copyLines = 400
)

// copy copies the body as it is sent, less what a terminal could take for more than text.
func (h *webhookList) copy() tea.Cmd {
	d, _ := h.Selected()
	body := h.m.view.body
	switch {
	case body.of != bodyOf(d.Delivery):
		return h.m.Notify("The body was not read yet: press y again.")
	case len(body.sent) > copyLimit || bytes.Count(body.sent, []byte("\n")) >= copyLines:
		return h.m.Warn("The body is too long to copy.")
	}
	return h.m.Copy("body", shownText(string(body.sent), 0, 0))
}
