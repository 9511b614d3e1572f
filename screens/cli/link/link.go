// Package link has the commands that create payment links, and list and show those that were created here.
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
	"paydesk/screens/report"
)

// Commands builds the commands of a program.
type Commands struct{ *command.Program }

// Link creates and lists payment links.
func (p Commands) Link() *cobra.Command {
	return command.Group(&cobra.Command{
		Use: "link", Short: "Create and list payment links",
		Long: "Anyone with its URL can pay a link.",
	}, p.createCommand(), p.listCommand(), p.showCommand())
}

// listCommand lists the links of the journal.
func (p Commands) listCommand() *cobra.Command {
	var where string
	c := p.Command(&cobra.Command{
		Use: "list", Short: "List the links that were created here",
		Long: "Those that are unresolved or differ are first, then the newest. The service is not asked. In a pipe the columns are\n" +
			"alias, amount, currency, payments that succeeded, payments in all, time of creation, name and URL.",
		Example: "  paydesk link list\n  paydesk link list --where 'chairs' --json",
		RunE:    func(c *cobra.Command, _ []string) error { return p.linkList(c.Context(), where) },
	})
	c.Flags().StringVar(&where, "where", "", "only links that match the `QUERY` (paydesk help query)")
	return c
}

func (p Commands) linkList(ctx context.Context, where string) error {
	q, err := p.ReadQuery(journal.LinkLanguage(command.Today), where)
	if err != nil {
		return err
	}
	profile, j, err := p.Recorded(ctx)
	if err != nil {
		return err
	}
	printed := output.List(p.Data, report.Links(), func(l journal.LinkRecord) any { return shape.NewLink(l) })
	return eachLink(ctx, j, command.DestinationOf(profile), journal.LinkFilter{Query: q}, printed)
}

// eachLink calls do with the links that need attention, and then with the others, newest first.
func eachLink(ctx context.Context, j *journal.Journal, at ledger.Destination, f journal.LinkFilter, do func(journal.LinkRecord) error) error {
	open, err := j.OpenLinks(ctx, at, f)
	if err != nil {
		return err
	}
	for _, l := range open {
		if err := do(l); err != nil {
			return err
		}
	}
	const step = 500
	var page journal.Page[journal.LinkRecord]
	for !page.Complete {
		if page, err = j.FindLinks(ctx, at, f, page.Search, page.Count, step); err != nil {
			return err
		}
	}
	for from := 0; from < page.Count; from += step {
		rows, err := j.FindLinks(ctx, at, f, page.Search, from, step)
		if err != nil {
			return err
		}
		for _, l := range rows.Rows {
			if err := do(l); err != nil {
				return err
			}
		}
	}
	return nil
}

// showCommand shows a link of the journal.
func (p Commands) showCommand() *cobra.Command {
	var qr bool
	c := p.Command(&cobra.Command{
		Use: "show ALIAS", Short: "Show a link that was created here",
		Long: "It is shown by alias or URL, with its payments. The service is not asked. If the link differs from what was asked, a\n" +
			"person at a terminal reads the difference before the URL is printed.",
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
