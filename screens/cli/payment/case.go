package payment

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/spf13/cobra"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/screens/cli/command"
	"paydesk/screens/report"
)

// Case prints what is known about a payment as Markdown.
func (p Commands) Case() *cobra.Command {
	return p.Command(&cobra.Command{
		Use: "case REF", Short: "Print what is known about a payment, for a ticket", Annotations: command.Takes("config", "profile", "state-dir", "no-proxy"),
		Long: "It says what we know and do not know, with its history, as Markdown. The service is asked only about a payment that\n" +
			"was not made here.",
		Example: "  paydesk case P5KQ2M7X1A > case.md",
		RunE: func(c *cobra.Command, args []string) error {
			r, err := command.Reference(args[0])
			if err != nil {
				return err
			}
			return p.printCase(c.Context(), r)
		},
	}, command.Refused, command.Unresolved)
}

func (p Commands) printCase(ctx context.Context, r api.Reference) error {
	profile, j, err := p.Records()
	if err != nil {
		return err
	}
	err = p.recordedCase(ctx, j, command.DestinationOf(profile), r)
	p.SayNewer(j)
	if !errors.Is(err, ledger.ErrNotFound) {
		return err
	}
	return p.askedCase(ctx, r)
}

// recordedCase prints what was recorded.
func (p Commands) recordedCase(ctx context.Context, j *journal.Journal, at ledger.Destination, r api.Reference) error {
	e, events, err := j.Record(ctx, at, r)
	if err != nil {
		return err
	}
	p.Say("From the journal; the service was not asked.")
	return cmp.Or(p.writeCase(report.OfAttempt(e.Attempt, events, ledger.Destination{}, time.Now())), p.Undecided(e.Attempt))
}

// writeCase prints a case as Markdown, and line by line in plain mode, where it is read aloud.
func (p Commands) writeCase(k report.Subject) error {
	if p.Plain {
		return p.Data.Pairs(report.Of(k).Pairs()...)
	}
	return report.Of(k).WriteMarkdown(p.Data, k.Now)
}

// askedCase asks the service about a payment of which nothing was recorded.
func (p Commands) askedCase(ctx context.Context, r api.Reference) error {
	c, err := p.Connect(ctx)
	if err != nil {
		return err
	}
	states, err := c.Watches.CheckOnce(ctx, []api.Reference{r})
	if err != nil {
		return err
	}
	known := paymentOf(c, states[0], nil)
	if known.Live.Err != nil {
		return &command.Refusal{Reason: known.reason(), Err: errors.New(known.says())}
	}
	asked := ledger.Attempt{
		Kind: ledger.Known, Destination: c.Here(), Reference: r, At: known.Live.AnsweredAt, AnsweredAt: known.Live.AnsweredAt, By: journal.CurrentOperator(p.Getenv),
		Amount: known.Live.Amount.Reported, Status: known.Status, StatusAt: known.Live.ReportedAt, Mismatch: known.Mismatch,
	}
	err = p.writeCase(report.OfAttempt(asked, c.Timeline(r), ledger.Destination{}, time.Now()))
	if err == nil && known.Mismatch.InDoubt() {
		err = command.Refuse(command.WhyMismatch, known.means(), "")
	}
	return err
}
