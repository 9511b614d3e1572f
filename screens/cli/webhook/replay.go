package webhook

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"paydesk/api/webhook"
	"paydesk/screens/cli/command"
	"paydesk/screens/cli/output"
	"paydesk/screens/present"
	"paydesk/screens/report"
	"paydesk/ui"
)

// replayOptions are the flags of webhook replay.
type replayOptions struct {
	eventFilter
	to  string
	yes bool
}

const targetHelp = "; on this machine, or exactly one of webhook_targets in the profile"

// replayCommand sends events to a target again.
func (p Commands) replayCommand() *cobra.Command {
	var o replayOptions
	c := command.Ends(&cobra.Command{
		Use: "replay [ID…] --to URL", Short: "Send received webhooks to a target again",
		Long: "They are sent with the body and headers they came with, oldest first: those with the IDs, or those that --where and\n" +
			"--since choose. A masked one is not sent. It ends with 1 unless the target accepted all with 2xx. In a\n" +
			"pipe the columns are ID, event, reference, answer, milliseconds and problem.",
		Example: "  paydesk webhook replay 12 --to http://127.0.0.1:3000/hooks\n" +
			"  paydesk webhook replay --since 2h --where 'event:payment.failed' --to http://127.0.0.1:3000/hooks --yes\n" +
			"  paydesk webhook replay --where is:undelivered --to http://127.0.0.1:3000/hooks --yes",
		RunE: func(c *cobra.Command, args []string) error { return p.webhookReplay(c.Context(), o, args) },
	}, command.Refused)
	f := c.Flags()
	f.StringVar(&o.to, "to", "", "the `URL` of the target"+targetHelp)
	o.add(f)
	f.BoolVar(&o.yes, "yes", false, "send several without asking")
	return c
}

func (p Commands) webhookReplay(ctx context.Context, o replayOptions, args []string) error {
	chosen := o.eventFilter != eventFilter{}
	switch {
	case chosen && len(args) > 0:
		return command.Wrong("give IDs, or choose events with --where and --since")
	case !chosen && len(args) == 0:
		return command.Wrong("nothing is chosen: give IDs, or --where or --since")
	}
	in, err := p.inbox()
	if err != nil {
		return err
	}
	to, err := in.target(o.to)
	if err != nil {
		return err
	}
	events, err := p.chosen(ctx, in, o.eventFilter, args)
	switch {
	case err != nil:
		return err
	case len(events) == 0:
		return command.Sentence("There is nothing to send.")
	}
	n := len(events)
	for _, e := range events {
		if e.Masked {
			p.Warn("Event %d is not sent: what looked like a card number or a key was masked in it.", e.ID)
			n--
		}
	}
	some := present.Count(n, "event", "events")
	if err := p.Confirm(ctx, "Send "+some+" to "+present.Plain(to.String())+"?", o.yes || n <= 1, "Nothing was sent.", "send "+some); err != nil {
		return err
	}
	return p.replay(ctx, in, to, events)
}

// target checks the URL of a target.
func (in inbox) target(url string) (webhook.Target, error) {
	t, err := webhook.ParseTarget(url, in.profile.WebhookTargets.All())
	if err != nil {
		err = command.WrongBy(err)
	}
	return t, err
}

// chosen returns the events that the arguments or the options choose, the oldest first.
func (p Commands) chosen(ctx context.Context, in inbox, of eventFilter, args []string) (all []webhook.Record, err error) {
	if len(args) == 0 {
		s, err := p.search(of)
		if err != nil {
			return nil, err
		}
		for r, err := range in.events(ctx, s, &webhook.Found{}) {
			if err != nil {
				return nil, err
			}
			all = append(all, r)
		}
		slices.Reverse(all)
		return all, nil
	}
	for _, a := range args {
		d, err := in.event(ctx, a)
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(all, func(r webhook.Record) bool { return r.ID == d.ID }) {
			all = append(all, d.Record)
		}
	}
	return all, nil
}

// replay sends events, and prints what the target answers to each.
func (p Commands) replay(ctx context.Context, in inbox, to webhook.Target, events []webhook.Record) error {
	print := output.List(p.Data, forwardColumns(events), func(f forwarded) output.Forward { return forwardObject(f.Record, f.Forward) })
	ids, refused, left := make([]int64, len(events)), 0, 0
	for i, e := range events {
		ids[i] = e.ID
	}
	err := webhook.Replay(ctx, in.Store, in.profile.Name, to, ids, func(r webhook.Record, f webhook.Forward) {
		switch {
		case r.Masked:
			left++
		case f.Problem != "":
			refused++
		}
		print(forwarded{r, f})
	})
	if err != nil {
		return err
	}
	var why []string
	if refused > 0 {
		why = append(why, "The target did not accept "+present.Thousands(refused)+" of "+present.Count(len(events)-left, "event", "events")+".")
	}
	if left > 0 {
		why = append(why, "Masked, and not sent: "+present.Thousands(left)+" of "+present.Count(len(events), "event", "events")+".")
	}
	if len(why) > 0 {
		return command.Sentence(strings.Join(why, " "))
	}
	return nil
}

// A forwarded is an event, and what a target answered to it.
type forwarded struct {
	webhook.Record
	webhook.Forward
}

// forwardColumns returns the columns of what targets answered to some events.
func forwardColumns(some []webhook.Record) []report.Column[forwarded] {
	reference := 10
	for _, r := range some {
		reference = max(reference, min(len(r.Reference), 36))
	}
	event := report.EventColumns(report.WidestEvent, reference)[:3]
	return append(report.Within(event, func(f forwarded) webhook.Record { return f.Record }), []report.Column[forwarded]{
		{Column: ui.Column{Title: "Answer"}, On: report.Terminal, Cell: func(f forwarded, _ report.Medium) ui.Cell { return answerCell(f.Forward) }},
		{On: report.Pipe, Cell: report.Text(func(f forwarded) string { return strings.TrimPrefix(strconv.Itoa(f.Forward.Status), "0") })},
		{On: report.Pipe, Cell: report.Text(func(f forwarded) string { return strconv.FormatInt(f.Took.Milliseconds(), 10) })},
		{On: report.Pipe, Cell: report.Text(func(f forwarded) string { return masked(f.Forward.Problem) })},
	}...)
}

// answerCell shows the answer of a target. Even one that accepts says nothing about the payment, so none is painted as a success.
func answerCell(f webhook.Forward) ui.Cell {
	c := ui.Cell{Text: strings.TrimSuffix(strings.TrimPrefix(report.EventSent(f), "It answered "), ".")}
	if f.Problem != "" {
		c.Tone = ui.ToneAct
	}
	if f.Problem != "" && f.Status != 0 {
		c.Text = strconv.Itoa(f.Status) + ", rejected"
	}
	return c
}

func forwardObject(e webhook.Record, f webhook.Forward) output.Forward {
	return output.Forward{ID: e.ID, Event: masked(e.Name.Line(0)), Reference: e.Reference.String(), Sending: sendingObject(f)}
}
