package transactions

import (
	"bufio"
	"context"
	"errors"
	"time"

	"paydesk/api"
	"paydesk/api/listing"
	"paydesk/screens/cli/command"
	"paydesk/screens/cli/output"
	"paydesk/screens/cli/shape"
	"paydesk/screens/report"
)

// A lister prints the service's list, or what is to be said of it.
type lister struct {
	*listOptions
	*command.Connection
	p        Commands
	buffer   *bufio.Writer // a write for each of a million rows would take longer than the service
	out      *output.Writer
	progress *progress
	until    time.Time           // what the service asked to wait for was said
	differ   *listing.Mismatches // nil before they were looked for
	blind    bool                // it was said that they could not be
	kept     bool                // what became of the list that was read was said
	since    *shape.ListReading
	doubts   []string // what a comparison cannot say
}

func (p Commands) newLister(c *command.Connection, o *listOptions) *lister {
	b := bufio.NewWriterSize(p.Stdout(), 1<<16)
	return &lister{listOptions: o, Connection: c, p: p, buffer: b, out: output.New(b, p.OutputOptions()), progress: p.newProgress()}
}

// errNotTaken ends rows whose printing failed; the printer has the reason.
var errNotTaken = errors.New("no more rows are taken")

// print prints the rows that each yields.
func (l *lister) print(each func(yield func(listing.Listed) bool) error) (err error) {
	raw := false
	rows := func(yield func(listing.Listed, error) bool) {
		err = each(func(r listing.Listed) bool {
			raw = raw || !r.Known && !r.Raw.Empty() && l.out.Format == output.Text
			return yield(r, nil)
		})
	}
	written := output.Rows(l.out, report.Transactions(l.asked != ""), rows, func(r listing.Listed) any { return shape.NewTransaction(r) })
	if written == nil {
		written = l.buffer.Flush()
	}
	if raw {
		l.progress.clear()
		l.p.Say("%s", report.RawAmounts)
	}
	if written != nil {
		return written
	}
	return err
}

// lookUp looks up about which payments an answer differed.
func (l *lister) lookUp(ctx context.Context) {
	known := listing.MismatchesOf(ctx, l)
	if l.differ = &known; known.Err != nil && !l.blind && ctx.Err() == nil {
		l.blind = true
		l.progress.clear()
		l.p.Warn("The journal could not be read: a payment marked ? may have a mismatch.")
	}
}

// listed is a row with what is known of it. first is the position of the first row; 0 where they have none.
func (l *lister) listed(ctx context.Context, rows *listing.Rows, row api.Transaction, k listing.Known, first, place int) listing.Listed {
	if l.differ == nil {
		l.lookUp(ctx)
	}
	r := rows.Listed(row, k, first, place)
	l.differ.Mark(&r)
	l.progress.clear()
	return r
}

// found yields the rows that a search finds, and returns how many. first is the position of the first row; 0 where they have
// none.
func (l *lister) found(ctx context.Context, rows *listing.Rows, s listing.Search, first int, yield func(listing.Listed) bool) (n int, err error) {
	err = rows.EachKnown(ctx, s, l.asked, func(at int, row api.Transaction, k listing.Known) error {
		if n++; !yield(l.listed(ctx, rows, row, k, first, at)) {
			return errNotTaken
		}
		return nil
	})
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return n, err
}

// pageReading tells how much of the list a page holds.
func (l *lister) pageReading(page api.Page, found int) shape.Reading {
	r := shape.Reading{Page: l.page, PerPage: l.perPage, RowsRead: len(page.Rows), PagesRead: 1, Why: []string{"This is one page of the list."}}
	if page.HasMeta {
		r.Total, r.PageCount = &page.Meta.Total, &page.Meta.PageCount
	}
	for _, n := range page.Notices {
		r.Why = append(r.Why, n.Line(0))
	}
	r.Ended = shape.Time(time.Now())
	return l.searched(r, found)
}

// searched adds the query, and how many rows meet it.
func (l *lister) searched(r shape.Reading, found int) shape.Reading {
	if !l.query.Empty() {
		r.Where, r.RowsFound = l.query.String(), &found
	}
	r.Since, r.Why = l.since, append(r.Why, l.doubts...)
	return r
}

// printReading prints the object behind the rows.
func (l *lister) printReading(r shape.Reading) error {
	if l.out.Format != output.JSON {
		return nil
	}
	if err := l.out.Object(shape.Transactions{Schema: shape.TransactionsSchema, Reading: r}); err != nil {
		return err
	}
	return l.buffer.Flush()
}
