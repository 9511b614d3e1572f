// Package transactions has the command that prints the service's list: transactions.go a page of it; whole.go all of it; rows.go
// what is printed of it.
package transactions

import (
	"cmp"
	"context"
	"time"

	"github.com/spf13/cobra"

	"paydesk/api"
	"paydesk/api/listing"
	"paydesk/api/query"
	"paydesk/screens"
	"paydesk/screens/cli/command"
	"paydesk/screens/present"
)

// Commands builds the commands of a program.
type Commands struct{ *command.Program }

// listOptions are the options of transactions.
type listOptions struct {
	page, perPage int
	all, yes      bool
	totals        bool
	forget        bool
	where         string
	query         query.Query
	asked         string // the earlier reading that it asks about; "" for none
}

const transactionsHelp = `It prints a page, or with --all the whole list as it is read; stderr and the last object of --json
say whether the list is complete. The whole list is saved on this machine; --forget removes it.

--where prints what a query finds (paydesk help query). since: and gone: compare with an earlier scan: with --all after
reading the list, else among the scans that are saved. here, not-here, differs, found and absent compare with what was
sent from here; while a loss of the journal stands they end with 10.

The columns are status, amount, currency, ID, and the service's word where it differs. A * follows an amount in minor
units, because its currency is not known. --csv has the columns of the console's files.`

// Transactions prints the service's list.
func (p Commands) Transactions() *cobra.Command {
	o := &listOptions{}
	c := &cobra.Command{
		Use: "transactions", Short: "List the service's transactions", Long: transactionsHelp,
		Example: "  paydesk transactions\n  paydesk transactions --all --where 'failed >100' --csv > failed.csv\n" +
			"  paydesk transactions --all --totals\n  paydesk transactions --all --where since:last --json",
		RunE: func(c *cobra.Command, _ []string) error { return p.transactions(c.Context(), c, o) },
	}
	f := c.Flags()
	f.IntVar(&o.page, "page", 1, "the `NUMBER` of the page")
	f.IntVar(&o.perPage, "per-page", api.DefaultPerPage, "`ROWS` per page, 1 to 100")
	f.BoolVar(&o.all, "all", false, "read the whole list")
	f.StringVar(&o.where, "where", "", "print the rows that match the `QUERY`, such as 'failed >100'")
	f.BoolVar(&o.totals, "totals", false, "print exact totals by currency and status instead of rows")
	f.BoolVar(&o.forget, "forget", false, "remove the saved list")
	f.BoolVar(&o.yes, "yes", false, "read more than 1,000 pages without asking")
	return p.WithCSV(c, command.Refused, command.NotFinal, command.Locked)
}

// checkList checks the options, before anything is opened.
func (p Commands) checkList(c *cobra.Command, o *listOptions) (err error) {
	paged := c.Flags().Changed("page") || c.Flags().Changed("per-page")
	switch {
	case o.page < 1:
		return command.Wrong("--page: pages are numbered from 1")
	case o.perPage < 1 || o.perPage > api.MaxPerPage:
		return command.Wrong("--per-page: the service has 1 to 100 rows per page")
	case o.forget && (paged || o.all || o.totals || o.where != ""):
		return command.Wrong("--forget takes no other option of this command")
	case paged && o.all:
		return command.Wrong("--page and --per-page are for a single page: leave them out, or --all")
	case o.yes && !o.all:
		return command.Wrong("--yes is for --all")
	}
	o.query, err = p.ReadQuery("--where", listing.Language(), o.where)
	switch asked := listing.Asked(o.query); {
	case err != nil || len(asked) == 0:
		return err
	case len(asked) > 1:
		return command.Wrong("--where: use since: or gone: only once")
	case paged:
		return command.Wrong("--page and --per-page are for a single page: leave them out, or since: and gone:")
	default:
		o.asked = asked[0]
	}
	return nil
}

func (p Commands) transactions(ctx context.Context, cmd *cobra.Command, o *listOptions) error {
	if err := p.checkList(cmd, o); err != nil {
		return err
	}
	c, err := p.Connect(ctx)
	if err != nil {
		return err
	}
	l := &lister{listOptions: o, Connection: c, p: p}
	p.Data.Held = true
	switch {
	case l.Mirror == nil && (o.forget || o.asked != ""):
		return command.Sentence(screens.NotRemembered(l.Profile))
	case l.Profile.Journal == "off" && listing.AsksLedger(o.query): // before the list is read
		return command.Sentence("The journal is off for this profile: there are no payments to compare with the list.")
	case o.forget:
		if err := l.Mirror.Forget(ctx); err != nil {
			return l.mirrorProblem(ctx, err)
		}
		l.p.Say("Removed the saved list of this service. The service's own list and the journal stay as they are.")
		return nil
	case o.all:
		return l.whole(ctx)
	case o.asked != "":
		return l.changed(ctx)
	}
	return l.onePage(ctx)
}

// onePage prints one page, or its totals.
func (l *lister) onePage(ctx context.Context) error {
	began := time.Now()
	page, err := l.Transactions(ctx, l.page, l.perPage)
	if err != nil {
		return err
	}
	l.readPage(page)
	found, err := l.printKnown(ctx, listing.State{Rows: listing.Of(page.Rows...), Began: began}, l.firstRow(page))
	if err != nil {
		return err
	}
	l.printReading(found)
	l.p.Say("%s", l.pageWords(page))
	if !l.query.Empty() {
		l.p.Say("%s found on this page; --all searches the whole list.", present.Count(found, "row was", "rows were"))
	}
	for _, n := range page.Notices {
		l.p.Say("%s", n.Line(0))
	}
	return nil
}

// pageWords say which rows of how many a page has.
func (l *lister) pageWords(page api.Page) string {
	words := "Page " + present.Thousands(l.page)
	if page.HasMeta {
		words += " of " + present.Thousands(page.Meta.PageCount)
	}
	words += ": "
	switch n, first := len(page.Rows), l.firstRow(page); {
	case n == 0:
		words += "no rows"
	case first == 0:
		words += present.Count(n, "row", "rows")
	case n == 1:
		words += "row " + present.Thousands(first)
	default:
		words += "rows " + present.Thousands(first) + "–" + present.Thousands(first+n-1)
	}
	if page.HasMeta {
		words += " of " + present.Thousands(page.Meta.Total)
	}
	return words + "."
}

// firstRow returns the position of a page's first row in the list, from 1; 0 where the service answered with another page than the
// one that was asked for, or with more rows than a page has or its total leaves for this one.
func (l *lister) firstRow(page api.Page) int {
	per, m, rows := l.perPage, page.Meta, len(page.Rows)
	if page.HasMeta && m.PerPage > 0 {
		per = m.PerPage
	}
	before := (l.page - 1) * per
	another := page.HasMeta && m.Page != l.page
	excess := l.page > 1 && (rows > per || page.HasMeta && before+rows > m.Total)
	if another || excess { // the first page begins at 1, however many rows it has
		return 0
	}
	return before + 1
}

// printKnown prints the rows that the query finds, or their totals, with what the journal knows of them. first is the position of the
// first row; 0 where they have none.
func (l *lister) printKnown(ctx context.Context, s listing.State, first int) (found int, err error) {
	if err := l.knowLedger(ctx, s); err != nil {
		return 0, err
	}
	if l.totals {
		found, err = l.printTotals(ctx, s.Rows, listing.Search{Query: l.query})
	} else {
		l.begin()
		found, err = l.print(ctx, s.Rows, listing.Search{Query: l.query, First: first})
		l.end()
	}
	err = cmp.Or(err, l.p.Unprinted)
	if err == nil && listing.AsksLedger(l.query) { // a payment may be missing
		err = command.Problem(l.Journal.LossStands(), present.Reading, "")
	}
	return found, err
}
