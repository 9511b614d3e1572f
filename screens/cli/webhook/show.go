package webhook

import (
	"context"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"paydesk/api/jsonform"
	"paydesk/api/webhook"
	"paydesk/screens/cli/command"
	"paydesk/screens/cli/output"
	"paydesk/screens/cli/shape"
	"paydesk/screens/report"
	"paydesk/ui"
)

// showCommand shows an event with what the service says about it.
func (p Commands) showCommand() *cobra.Command {
	body := false
	c := p.Command(&cobra.Command{
		Use: "show ID", Short: "Show a webhook, and what the service answered about it",
		Long: "What it says is shown beside what the service answered, with its deliveries, where it was forwarded, its headers and\n" +
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
	pairs := report.OfEvent(d, status).Pairs()
	for _, h := range headersOf(d.Header) { // in one column of their own: a sender chooses their names
		pairs = append(pairs, [2]string{"Header", h.Name + ": " + h.Value})
	}
	if !p.Data.Terminal {
		return p.Data.Pairs(append(pairs, [2]string{"Body", masked(string(d.Body))})...)
	}
	p.Data.Pairs(pairs...)
	p.Data.Line("")
	p.Data.Line("Body")
	return p.printBody(d.Body)
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
