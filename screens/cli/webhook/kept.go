package webhook

import (
	"context"
	"iter"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"paydesk/api/webhook"
	"paydesk/screens/cli/command"
	"paydesk/screens/cli/output"
	"paydesk/screens/present"
	"paydesk/screens/report"
)

// eventFilter are the flags that choose events.
type eventFilter struct {
	where string
	since time.Duration
}

// eventsAtOnce bounds the events of one read.
const eventsAtOnce = 500

// listCommand lists the events that were received.
func (p Commands) listCommand() *cobra.Command {
	var of eventFilter
	limit := uint(0)
	c := &cobra.Command{
		Use: "list", Short: "List the webhooks that were received",
		Long: "The last delivered is first; several deliveries are one line. What a webhook says is not verified; the verdict is\n" +
			"what the service says. The service is not asked. In a pipe the columns are ID, last delivery, event, reference,\n" +
			"amount, currency, verdict and number of deliveries.",
		Example: "  paydesk webhook list --where 'verdict:disagrees'\n  paydesk webhook list --since 2h --json | jq -r .reference",
		RunE:    func(c *cobra.Command, _ []string) error { return p.webhookList(c.Context(), of, limit) },
	}
	of.add(c.Flags())
	command.LimitFlag(c, &limit)
	return c
}

const whereEvents = "only webhooks that match the `QUERY` (paydesk help webhooks)"

func (p Commands) webhookList(ctx context.Context, of eventFilter, limit uint) error {
	s, err := p.search(of)
	if err != nil {
		return err
	}
	in, err := p.inbox()
	if err != nil {
		return err
	}
	var page webhook.Found
	var print func(webhook.Record)
	for r, err := range command.UpTo(limit, in.events(ctx, s, &page)) {
		if err != nil {
			return err
		}
		if print == nil { // references stay as whole as those of the first page, because they are copied
			print = output.List(p.Data, report.Events(page.Records, time.Now()), output.NewWebhook)
		}
		print(r)
	}
	if page.Replaced != "" {
		p.Warn("The inbox was damaged. It was saved as %s, and a new one was started.", page.Replaced)
	}
	if page.Dropped > 0 {
		p.Warn("%s dropped, the oldest first, to stay within webhook_limit.", present.Count(int(page.Dropped), "delivery was", "deliveries were"))
	}
	if print == nil {
		p.Data.SayNone("paydesk listen receives webhooks; see paydesk help webhooks.")
	}
	return nil
}

// search reads which events are meant.
func (p Commands) search(of eventFilter) (s webhook.Search, err error) {
	if s.Query, err = p.ReadQuery("--where", webhook.Language(command.Today), of.where); of.since != 0 {
		s.From = time.Now().Add(-of.since)
	}
	return s, err
}

// add adds the options.
func (of *eventFilter) add(f *pflag.FlagSet) {
	f.StringVar(&of.where, "where", "", whereEvents)
	f.Func("since", "only what was delivered in the last `TIME`, such as 2h; day: of --where has days", func(typed string) (err error) {
		if of.since, err = time.ParseDuration(typed); err != nil || of.since <= 0 {
			return command.Sentence("must be a duration above 0, such as 90s or 5m")
		}
		return nil
	})
}

// events yields the events that a search finds, the last delivered first. page holds the page that is being read.
func (in inbox) events(ctx context.Context, s webhook.Search, page *webhook.Found) iter.Seq2[webhook.Record, error] {
	return func(yield func(webhook.Record, error) bool) {
		s := s
		s.Profile, s.Limit = in.profile.Name, eventsAtOnce
		for page.More = true; page.More; {
			var err error
			if *page, err = in.Find(ctx, s); err != nil {
				yield(webhook.Record{}, err)
				return
			}
			for _, r := range page.Records {
				if !yield(r, nil) {
					return
				}
				s.Before = r.Number
			}
		}
	}
}

// showCommand shows an event with what the service says about it.
func (p Commands) showCommand() *cobra.Command {
	body := false
	c := command.Ends(&cobra.Command{
		Use: "show ID", Short: "Show a webhook, and what the service answered about it",
		Long: "What it says is shown beside what the service answered, with its deliveries, where it was forwarded, its headers and\n" +
			"its body. The service is not asked.",
		Example: "  paydesk webhook show 12\n  paydesk webhook show 12 --body | jq .",
		RunE:    func(c *cobra.Command, args []string) error { return p.webhookShow(c.Context(), args[0], body) },
	}, command.Refused)
	c.Flags().BoolVar(&body, "body", false, "print the body alone, in a pipe byte for byte as it is stored")
	return c
}

func (p Commands) webhookShow(ctx context.Context, id string, body bool) error {
	in, err := p.inbox()
	if err != nil {
		return err
	}
	d, err := in.event(ctx, id)
	switch {
	case err != nil:
		return err
	case p.Data.Format == output.JSON:
		p.Data.Object(detailObject(d))
	case body && !p.Data.Terminal:
		p.Data.Write(d.Body)
	case body:
		p.printBody(d.Body)
	default:
		in.compare(ctx, &d.Record)
		p.printEvent(d)
	}
	return nil
}

// detailObject returns all of an event as JSON.
func detailObject(d webhook.Detail) output.WebhookDetail {
	o := output.WebhookDetail{
		Webhook: output.NewWebhook(d.Record), Headers: headersOf(d.Header), Body: strings.ToValidUTF8(string(d.Body), "\ufffd"),
		Delivered: []time.Time{}, Sent: []output.Sending{},
	}
	for _, a := range d.Arrivals {
		if at := output.Time(a.At); at != nil {
			o.Delivered = append(o.Delivered, *at)
		}
	}
	for _, f := range d.Sent {
		o.Sent = append(o.Sent, sendingObject(f))
	}
	return o
}

// printEvent prints an event for people.
func (p Commands) printEvent(d webhook.Detail) {
	pairs := report.OfEvent(d, report.Quote{}).Pairs()
	if !p.Data.Terminal {
		p.Data.Pairs(append(pairs, [2]string{"Body", masked(string(d.Body))})...)
		return
	}
	p.Data.Pairs(pairs...)
	p.Data.Line("")
	p.Data.Line("Body")
	p.printBody(d.Body)
}

// printBody prints a body so that it cannot act on a terminal: JSON indented, everything else line by line.
func (p Commands) printBody(body []byte) {
	text, _ := webhook.Indent(body)
	for line := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		indent := line[:len(line)-len(strings.TrimLeft(line, " "))]
		p.Data.Line(indent + masked(strings.TrimRight(line[len(indent):], "\r")))
	}
}
