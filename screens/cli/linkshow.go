package cli

import (
	"context"

	"github.com/spf13/cobra"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/screens/cli/output"
	"paydesk/screens/cli/shape"
)

// linkShowCommand shows a link of the journal.
func (p *program) linkShowCommand() *cobra.Command {
	var qr bool
	c := p.command(&cobra.Command{
		Use: "show ALIAS", Short: "Show a link that was created here",
		Long: "Show a link that was created here, by alias or URL, with its payments. The service is not asked. If the link differs\n" +
			"from what was asked, a person at a terminal reads the difference before the URL is printed.",
		Example: "  paydesk link show 0-a1b2c3d\n  paydesk link show 0-a1b2c3d --qr",
		RunE: func(c *cobra.Command, args []string) error {
			a, err := api.ParseAlias(args[0])
			if err != nil {
				return exit(Usage, err)
			}
			return p.linkShow(c.Context(), a, qr)
		},
	}, Refused, Unresolved)
	c.Flags().BoolVar(&qr, "qr", false, "print the QR code of its URL too")
	return c
}

func (p *program) linkShow(ctx context.Context, a api.Alias, qr bool) error {
	profile, j, err := p.recorded(ctx)
	if err != nil {
		return err
	}
	found, err := findLink(ctx, j, destinationOf(profile), a)
	switch {
	case err != nil:
		return err
	case qr && p.out.Format == output.JSON:
		return usage("choose one of --qr and --json")
	case found.MustBeRead():
		return p.showDifferences(ctx, j, destinationOf(profile), found, qr)
	}
	return p.showLink(found, qr)
}

// findLink returns the link with an alias.
func findLink(ctx context.Context, j *journal.Journal, at ledger.Destination, a api.Alias) (found journal.LinkRecord, err error) {
	err = eachLink(ctx, j, at, journal.LinkFilter{}, func(l journal.LinkRecord) error {
		if found.CreatedLink == nil && l.CreatedLink != nil && l.CreatedLink.Alias == a {
			found = l
		}
		return nil
	})
	if err == nil && found.CreatedLink == nil {
		err = exit(Refused, sentence("The journal of this profile has no link with this alias."))
	}
	return found, err
}

// showDifferences shows how a link differs from what was asked, and the link once a person has read that.
func (p *program) showDifferences(ctx context.Context, j *journal.Journal, at ledger.Destination, l journal.LinkRecord, qr bool) error {
	if !p.ask.Available() {
		if err := p.showLink(l, false); err != nil {
			return err
		}
		p.about.attempt = l.ID
		return refuse(mismatch, "MISMATCH: this link is not as it was asked for. A person at a terminal has to read how before it is passed on.", "")
	}
	for _, d := range shape.LinkDifferences(*l.CreatedLink) {
		p.warn("%s: asked %s, answered %s", d.Part, d.Asked, d.Answered)
	}
	if err := p.yes(ctx, "The customer pays what was answered. Have you read how it differs?"); isSignal(err) {
		return err
	} else if err != nil {
		return endedBy(mismatch)
	}
	if err := j.DifferenceRead(ctx, at, l.CreatedLink.Alias); err != nil {
		return err
	}
	l.Decision = ledger.DifferenceRead
	return p.showLink(l, qr)
}

func (p *program) showLink(l journal.LinkRecord, qr bool) error {
	o := shape.NewLink(l)
	if err := p.printLink(o, l); err != nil || !qr {
		return err
	}
	return p.printQR(o.URL)
}
