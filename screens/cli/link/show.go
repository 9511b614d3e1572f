package link

import (
	"context"

	"github.com/spf13/cobra"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/screens/cli/command"
	"paydesk/screens/cli/output"
	"paydesk/screens/cli/shape"
)

// linkShowCommand shows a link of the journal.
func (p Commands) linkShowCommand() *cobra.Command {
	var qr bool
	c := p.Command(&cobra.Command{
		Use: "show ALIAS", Short: "Show a link that was created here",
		Long: "Show a link that was created here, by alias or URL, with its payments. The service is not asked. If the link differs\n" +
			"from what was asked, a person at a terminal reads the difference before the URL is printed.",
		Example: "  paydesk link show 0-a1b2c3d\n  paydesk link show 0-a1b2c3d --qr",
		RunE: func(c *cobra.Command, args []string) error {
			a, err := api.ParseAlias(args[0])
			if err != nil {
				return command.Exit(command.Usage, err)
			}
			return p.linkShow(c.Context(), a, qr)
		},
	}, command.Refused, command.Unresolved)
	c.Flags().BoolVar(&qr, "qr", false, "print the QR code of its URL too")
	return c
}

func (p Commands) linkShow(ctx context.Context, a api.Alias, qr bool) error {
	profile, j, err := p.Recorded(ctx)
	if err != nil {
		return err
	}
	found, err := Find(ctx, j, command.DestinationOf(profile), a)
	switch {
	case err != nil:
		return err
	case qr && p.Data.Format == output.JSON:
		return command.Wrong("choose one of --qr and --json")
	case found.MustBeRead():
		return p.showDifferences(ctx, j, command.DestinationOf(profile), found, qr)
	}
	return p.showLink(found, qr)
}

// Find returns the link with an alias.
func Find(ctx context.Context, j *journal.Journal, at ledger.Destination, a api.Alias) (found journal.LinkRecord, err error) {
	err = eachLink(ctx, j, at, journal.LinkFilter{}, func(l journal.LinkRecord) error {
		if found.CreatedLink == nil && l.CreatedLink != nil && l.CreatedLink.Alias == a {
			found = l
		}
		return nil
	})
	if err == nil && found.CreatedLink == nil {
		err = command.Exit(command.Refused, command.Sentence("The journal of this profile has no link with this alias."))
	}
	return found, err
}

// showDifferences shows how a link differs from what was asked, and the link once a person has read that.
func (p Commands) showDifferences(ctx context.Context, j *journal.Journal, at ledger.Destination, l journal.LinkRecord, qr bool) error {
	if !p.Ask.Available() {
		if err := p.showLink(l, false); err != nil {
			return err
		}
		p.About.Attempt = l.ID
		return command.Refuse(command.WhyMismatch, "MISMATCH: this link is not as it was asked for. A person at a terminal has to read how before it is passed on.", "")
	}
	for _, d := range shape.LinkDifferences(*l.CreatedLink) {
		p.Warn("%s: asked %s, answered %s", d.Part, d.Asked, d.Answered)
	}
	if err := p.Yes(ctx, "The customer pays what was answered. Have you read how it differs?"); command.IsSignal(err) {
		return err
	} else if err != nil {
		return command.EndedBy(command.WhyMismatch)
	}
	if err := j.DifferenceRead(ctx, at, l.CreatedLink.Alias); err != nil {
		return err
	}
	l.Decision = ledger.DifferenceRead
	return p.showLink(l, qr)
}

func (p Commands) showLink(l journal.LinkRecord, qr bool) error {
	o := shape.NewLink(l)
	if err := p.printLink(o, l); err != nil || !qr {
		return err
	}
	return p.printQR(o.URL)
}
