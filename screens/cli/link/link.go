// Package link has the commands that create payment links, and list and show those that were created here.
package link

import (
	"context"

	"github.com/spf13/cobra"

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
		Long: "Create payment links, and list those that were created here. Anyone with its URL can pay a link.",
	}, p.linkCreateCommand(), p.linkListCommand(), p.linkShowCommand())
}

// linkListCommand lists the links of the journal.
func (p Commands) linkListCommand() *cobra.Command {
	var where string
	c := p.Command(&cobra.Command{
		Use: "list", Short: "List the links that were created here",
		Long: "List the links that were created here: first those that are unresolved or differ, then the newest. The service is not\n" +
			"asked. In a pipe the columns are alias, amount, currency, payments that succeeded, payments in all, time of creation,\n" +
			"name and URL.",
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
