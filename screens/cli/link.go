package cli

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/query"
	"paydesk/screens/cli/output"
	"paydesk/screens/cli/shape"
	"paydesk/screens/present"
	"paydesk/screens/report"
	"paydesk/ui"
)

// linkCommand creates and lists payment links.
func (p *program) linkCommand() *cobra.Command {
	return group(&cobra.Command{
		Use: "link", Short: "Create payment links, and list those that were created here",
		Long: "Create payment links, and list those that were created from here. A link is a page where anyone with its URL can pay.",
	}, p.linkCreateCommand(), p.linkListCommand(), p.linkShowCommand())
}

// linkListCommand lists the links of the journal.
func (p *program) linkListCommand() *cobra.Command {
	var where string
	c := p.command(&cobra.Command{
		Use: "list", Short: "List the links that were created here", Args: positional(),
		Long: "List the links that were created from here, newest first, after those that need attention: of which it is not known\n" +
			"whether they were created, or which are not as they were asked for. The service is not asked.\n" +
			"In a pipe the columns are alias, amount, currency, payments that succeeded, payments in all, time of creation, name and URL.",
		Example: "  paydesk link list\n  paydesk link list --where 'chairs' --json",
		RunE:    func(c *cobra.Command, _ []string) error { return p.linkList(c.Context(), where) },
	})
	c.Flags().StringVar(&where, "where", "", "only links that match the `QUERY`; see paydesk help query")
	return c
}

func (p *program) linkList(ctx context.Context, where string) error {
	q, err := p.readQuery(journal.LinkLanguage(today), where)
	if err != nil {
		return err
	}
	profile, j, end, err := p.recorded(ctx)
	if err != nil {
		return err
	}
	defer end()
	rows := p.linkRows()
	return eachLink(ctx, j, destinationOf(profile), journal.LinkFilter{Query: q}, rows.print)
}

// eachLink calls do with the links that need attention, and then with the others, newest first.
func eachLink(ctx context.Context, j *journal.Journal, at journal.Destination, f journal.LinkFilter, do func(journal.LinkRecord) error) error {
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

// today is the day of a query.
func today() query.DayNumber { return query.DayOf(time.Now().Local()) }

// linkRows print links as they come.
type linkRows struct {
	p     *program
	table *output.Table
}

func (p *program) linkRows() linkRows {
	return linkRows{p, p.out.Table(
		ui.Column{Title: "Alias", Width: 12}, ui.Column{Title: "Amount", Width: 18, Right: true}, ui.Column{Title: "Paid", Width: 5, Right: true},
		ui.Column{Title: "Created", Width: len(report.Minute)}, ui.Column{Title: "Name"},
	)}
}

func (r linkRows) print(l journal.LinkRecord) error {
	o := linkObject(l)
	if r.p.out.Format == output.JSON {
		return r.p.out.Object(o)
	}
	alias := ui.Cell{Text: o.Alias}
	switch o.State {
	case linkUnresolved:
		alias = ui.Cell{Text: present.Unresolved, Tone: ui.ToneUnknown}
	case linkDiffers:
		alias = ui.Cell{Text: present.Mismatch, Tone: ui.ToneMismatch}
	}
	paid := present.Thousands(l.Paid) + "/" + present.Thousands(l.Accepted)
	if !r.p.out.Terminal {
		amount := ""
		if o.Amount != nil {
			amount = o.Amount.Amount
		}
		return r.table.Row(append([]ui.Cell{alias}, plainCells(amount, l.Amount.Currency.Code(), present.Thousands(l.Paid), present.Thousands(l.Accepted),
			l.At.Local().Format(time.RFC3339), o.Name, o.URL)...)...)
	}
	return r.table.Row(alias, ui.Cell{Text: linkAmount(l.Attempt)}, ui.Cell{Text: paid}, ui.Cell{Text: l.At.Local().Format(report.Minute)}, ui.Cell{Text: o.Name})
}

func linkAmount(a journal.Attempt) string {
	if a.CustomerChooses() {
		return present.CustomerChooses + " " + a.Amount.Currency.Code()
	}
	return a.Amount.String()
}

// The states of a link as JSON has them.
const (
	linkReady      = "ready"
	linkUnresolved = "unresolved" // it is not known whether it was created
	linkDiffers    = "differs"    // it is not as it was asked for, and nobody has read how
)

// linkObject is a link of the journal as JSON. One that has to be read first has no URL.

func linkObject(l journal.LinkRecord) shape.Link {
	o := shape.Link{
		Schema: shape.LinkSchema, Attempt: string(l.ID), State: linkReady, Created: shape.Time(l.At), Name: l.Draft.Name,
		Description: l.Draft.Description, Type: linkType(l),
		CustomerChooses: l.CustomerChooses(), Currency: l.Amount.Currency.Code(), Paid: l.Paid, Payments: l.Accepted, Differing: l.Differ,
	}
	if !l.CustomerChooses() {
		o.Amount = shape.NewMoney(l.Amount)
	}
	if l.CreatedLink == nil {
		o.State = linkUnresolved
		return o
	}
	made := l.CreatedLink
	o.Alias, o.Name, o.Differs = string(made.Alias), made.Name.Line(0), linkDifferences(*made)
	o.Description, o.Environment, o.Status = made.Description.Line(0), made.Environment.Line(0), made.Status.Line(0)
	if l.MustBeRead() {
		o.State = linkDiffers
		return o
	}
	o.URL = made.Page.String()
	return o
}

// linkType is how often a link can be paid: as the service answered, or else as it was asked for; "" where neither is
// known.
func linkType(l journal.LinkRecord) string {
	t, known := l.Draft.Type, l.Draft.Name != ""
	if made := l.CreatedLink; made != nil {
		if answered, ok := api.ParseLinkType(made.Type.Line(0)); ok {
			t, known = answered, true
		}
	}
	switch {
	case !known:
		return ""
	case t == api.Reusable:
		return "reusable"
	}
	return "one-time"
}

func linkDifferences(l api.Link) (all []shape.LinkDifference) {
	for _, d := range l.Differs {
		all = append(all, shape.LinkDifference{Part: d.Part.Line(0), Asked: d.Asked.Line(0), Answered: d.Answered.Line(0)})
	}
	return all
}
