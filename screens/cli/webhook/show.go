package webhook

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"paydesk/api"
	"paydesk/api/export"
	"paydesk/api/jsonform"
	"paydesk/api/webhook"
	"paydesk/screens/cli/command"
	"paydesk/screens/cli/output"
	"paydesk/screens/cli/shape"
	"paydesk/screens/present"
	"paydesk/screens/report"
	"paydesk/ui"
)

// showCommand shows an event with what the service says about it.
func (p Commands) showCommand() *cobra.Command {
	body := false
	c := p.Command(&cobra.Command{
		Use: "show ID", Short: "Show a webhook, and what the service answered about it",
		Long: "Show a webhook: what it says beside what the service answered, its deliveries, where it was forwarded, its headers and\n" +
			"its body. --body prints the body alone, byte for byte in a pipe. The service is not asked.",
		Example: "  paydesk webhook show 12\n  paydesk webhook show 12 --body | jq .",
		RunE: func(c *cobra.Command, args []string) error {
			id, err := eventID(args[0])
			if err != nil {
				return err
			}
			return p.webhookShow(c.Context(), id, body)
		},
	}, command.Refused)
	c.Flags().BoolVar(&body, "body", false, "print the body alone, as it is stored")
	return c
}

func (p Commands) webhookShow(ctx context.Context, id int64, body bool) error {
	if body && p.Data.Format == output.JSON {
		return command.Wrong("choose one of --body and --json")
	}
	in, err := p.inbox()
	if err != nil {
		return err
	}
	d, err := in.Get(ctx, in.profile.Name, id)
	switch {
	case err != nil:
		return inboxError(err)
	case p.Data.Format == output.JSON:
		return p.Data.Object(detailObject(d))
	case body && !p.Data.Terminal:
		_, err := p.Data.Write(d.Body)
		return err
	case body:
		return p.printBody(d.Body)
	}
	return p.printEvent(d, in.status(ctx, d.Record))
}

// detailObject is all of an event as JSON.
func detailObject(d webhook.Detail) shape.WebhookDetail {
	o := shape.WebhookDetail{
		Webhook: shape.NewWebhook(d.Record), Headers: headersOf(d.Header), Body: strings.ToValidUTF8(string(d.Body), "\ufffd"),
		Delivered: []time.Time{}, Sent: []shape.Sending{},
	}
	o.Schema = shape.WebhookDetailSchema
	for _, a := range d.Arrivals {
		o.Delivered = append(o.Delivered, a.At.Local())
	}
	for _, f := range d.Sent {
		o.Sent = append(o.Sent, sendingObject(f))
	}
	return o
}

// printEvent prints an event for people, with the status that the service answered.
func (p Commands) printEvent(d webhook.Detail, status ui.Cell) error {
	e := d.WebhookEvent
	pairs := [][2]string{
		{"ID", fmt.Sprint(d.ID)}, {"Event", report.EventName(e)}, {"Reference", e.Reference.String()}, {"Not understood", export.Masked(e.Problem)},
		{"Verdict", verdictWords(d.Record, status.Text)}, {"Answered", saidIf(!d.Answer.At.IsZero(), present.DateTime(d.Answer.At))}, {"Not asked", masked(d.Answer.Problem)},
		{"Early", saidIf(d.Early, "It claimed a success before the service reported one.")},
		{"Masked", saidIf(d.Masked, "What looked like a card number or a key was masked before it was stored, so that it cannot be sent to a target.")},
		{"Contradicts", saidIf(e.Contradicts, "The name of the event claims another outcome than its status.")},
		{"Paid", saidIf(e.HasPaid, e.Paid.String()+", as the event says")},
		{"Channel", export.Masked(e.Channel)}, {"Narration", export.Masked(e.Narration)}, {"Link", string(e.Link)},
		{"Environment", export.Masked(e.Environment)}, {"Source", export.Masked(e.Source)}, {"Happened", happened(e)},
		{"Size", present.Count(d.Size, "byte", "bytes")},
	}
	p.Data.Pairs(pairs...)
	p.printCompared(d.Record, status)
	pairs = nil
	for _, a := range d.Arrivals {
		pairs = append(pairs, [2]string{"Delivered", present.DateTime(a.At)})
	}
	for _, f := range d.Sent {
		pairs = append(pairs, [2]string{"Sent", present.DateTime(f.At) + "  " + command.OneLine(f.Target) + "  " + answered(f)})
	}
	for _, h := range headersOf(d.Header) { // in one column of their own: a sender chooses their names
		pairs = append(pairs, [2]string{"Header", h.Name + ": " + h.Value})
	}
	if len(pairs) > 0 {
		p.section("Deliveries and headers")
	}
	p.Data.Pairs(pairs...)
	if !p.Data.Terminal {
		return p.Data.Pairs([2]string{"Body", masked(string(d.Body))})
	}
	p.section("Body")
	return p.printBody(d.Body)
}

// section begins a part for people, with a heading or without.
func (p Commands) section(title string) {
	if p.Data.Terminal {
		p.Data.Line("")
	}
	if p.Data.Terminal && title != "" {
		p.Data.Line(title)
	}
}

// printBody prints a body so that it cannot act on a terminal: JSON indented, everything else line by line.
func (p Commands) printBody(body []byte) error {
	text, _ := jsonform.Indent(body)
	for line := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		indent := line[:len(line)-len(strings.TrimLeft(line, " "))]
		p.Data.Line(indent + masked(strings.TrimRight(line[len(indent):], "\r")))
	}
	return p.Data.Err()
}

// printCompared prints what an event says beside what the service answered.
func (p Commands) printCompared(r webhook.Record, status ui.Cell) {
	if !r.Understood() {
		return
	}
	p.section("")
	t := p.Data.Table(ui.Column{Title: "", Width: 8}, ui.Column{Title: "The event says, unverified", Width: 26},
		ui.Column{Title: "The service says", Width: 18}, ui.Column{Title: ""})
	amount := ui.Cell{}
	switch a := r.Answer; {
	case a.NotFound:
		status = ui.Cell{Text: "no such payment"}
	case a.HasAmount:
		amount.Text = a.Amount.String()
	}
	for _, row := range []struct {
		name, event string
		service     ui.Cell
		parts       []webhook.Differ
	}{
		{"status", claimWords(r.WebhookEvent), status, []webhook.Differ{webhook.Status}},
		{"amount", report.ClaimedAmount(r.WebhookEvent), amount, []webhook.Differ{webhook.Amount, webhook.Currency}},
	} {
		mark := ui.Cell{}
		if slices.ContainsFunc(r.Differs, func(d webhook.Differ) bool { return slices.Contains(row.parts, d) }) {
			mark = ui.Cell{Text: "differs", Tone: ui.ToneBad}
		}
		t.Row(ui.Cell{Text: row.name}, ui.Cell{Text: row.event}, row.service, mark)
	}
}

// statusWord is a status by its documented word, or as received.
func statusWord(s api.Status) string {
	if s.State == api.Unrecognised {
		return export.Masked(s.Text)
	}
	return s.State.String()
}

// claimWords returns the status that an event claims.
func claimWords(e api.WebhookEvent) string {
	if e.Says == api.Unrecognised {
		return export.Masked(e.Status.Text)
	}
	return e.Says.String()
}

// verdictWords is the verdict with what the service answered.
func verdictWords(r webhook.Record, status string) string {
	words := string(r.Verdict)
	switch r.Verdict {
	case webhook.Agrees, webhook.NoAmount, webhook.Disagrees:
		words += ": the service says " + status
		if r.Answer.HasAmount {
			words += " " + r.Answer.Amount.String()
		}
	}
	return words
}

// saidIf are words that hold under a condition.
func saidIf(is bool, words string) string {
	if !is {
		return ""
	}
	return words
}

// happened returns the time that an event states.
func happened(e api.WebhookEvent) string {
	if e.Claimed.Time.IsZero() {
		return export.Masked(e.Claimed.Text)
	}
	return present.DateTime(e.Claimed.Time) + ", as the event says"
}
