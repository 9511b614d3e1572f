package cli

import (
	"bufio"
	"context"
	"errors"
	"slices"
	"time"

	"paydesk/api"
	"paydesk/api/export"
	"paydesk/api/journal"
	"paydesk/api/listing"
	"paydesk/screens/cli/output"
	"paydesk/screens/cli/shape"
	"paydesk/screens/present"
	"paydesk/ui"
)

// A lister prints the service's list, or what is to be said of it.
type lister struct {
	*listOptions
	*connection
	p        *program
	buffer   *bufio.Writer // a write for each of a million rows would take longer than the service
	out      *output.Writer
	progress *progress
	until    time.Time                          // what the service asked to wait for was said
	differ   map[api.Reference]journal.Mismatch // of the payments about which an answer differed; nil before they were looked for
	unread   bool                               // the journal could not be read
	blind    bool                               // that was said
	raw      bool                               // an amount was printed that is in minor units
	kept     bool                               // what became of the list that was read was said
	since    *shape.ListReading
	doubts   []string // what a comparison cannot say
}

func (p *program) newLister(c *connection, o *listOptions) *lister {
	b := bufio.NewWriterSize(p.stdout(), 1<<16)
	return &lister{listOptions: o, connection: c, p: p, buffer: b, out: output.New(b, p.outputOptions()), progress: p.newProgress()}
}

// A listedRow is a row of the list, with what is known here of its payment.
type listedRow struct {
	export.Transaction
	seen      time.Time // see [listing.Known]
	mismatch  journal.Mismatch
	unchecked bool // the journal could not be read, so that there may be a mismatch
}

// errNotTaken is the error of rows that nobody takes any more: why is known to who printed them.
var errNotTaken = errors.New("no more rows are taken")

// print prints the rows that each yields.
func (l *lister) print(each func(yield func(listedRow) bool) error) (err error) {
	var written error
	if l.out.Format == output.CSV {
		rows := func(yield func(export.Transaction, error) bool) {
			err = each(func(r listedRow) bool { return yield(r.Transaction, nil) })
		}
		_, written = export.Write(l.out, export.CSV, export.Transactions(l.asked != ""), rows, nil)
	} else {
		table := l.out.Table(l.rowColumns()...)
		err = each(func(r listedRow) bool {
			written = l.printRow(table, r)
			return written == nil
		})
	}
	if written == nil {
		written = l.buffer.Flush()
	}
	if l.raw {
		l.progress.clear()
		l.p.say("* raw minor units: the amount in major units is unknown")
	}
	if written != nil {
		return written
	}
	return err
}

// wideRow is the width that a row needs with the service's word for its status.
const wideRow = 98

// rowColumns are the columns. On a terminal without that room the service's word is left out where it says nothing new.
func (l *lister) rowColumns() []output.Column {
	last := output.Column{Name: "Raw status if different"}
	if l.narrow() {
		last.Name = ""
	}
	columns := []output.Column{{Name: "Status", Width: 12}, {Name: "Amount", Width: 14, Right: true}, {Name: "Cur", Width: 3}, {Name: "ID", Width: 36}, last}
	if l.asked != "" {
		return slices.Insert(columns, 1, output.Column{Name: "Was", Width: 12})
	}
	return columns
}

func (l *lister) narrow() bool { return l.out.Terminal && l.out.Width < wideRow }

func (l *lister) printRow(table *output.Table, r listedRow) error {
	if l.out.Format == output.JSON {
		return l.out.Object(r.object())
	}
	cells := []ui.Cell{r.status(), {Text: l.amount(r.Row)}, {Text: r.Currency.Line(8)}, {Text: export.Masked(r.ID)}, {Text: l.ownWord(r.Status)}}
	if l.asked != "" {
		cells = slices.Insert(cells, 1, ui.Cell{Text: present.ChangedFrom(r.Change, r.Was)})
	}
	return table.Row(cells...)
}

// status is the status in a column, as the screens have it. A payment about which an answer differed, or may have, is
// no success.
func (r listedRow) status() ui.Cell {
	cell := present.RowCell(r.Row.Status, r.mismatch)
	if r.Change == listing.Gone { // what it was is in the next column
		return ui.Cell{Text: "gone"}
	}
	if r.unchecked && cell.Tone == ui.ToneGood {
		return ui.Cell{Text: "? " + cell.Text, Tone: ui.ToneUnknown}
	}
	return cell
}

// ownWord is the service's word for a status where it is another than that of the column.
func (l *lister) ownWord(s api.Status) string {
	word := export.Masked(s.Text)
	if s.State != api.Unrecognised && (l.narrow() || word == present.ShortStatus(s)) {
		return ""
	}
	return word
}

// amount is the amount of a row: with thousands separated for people, and plain for programs.
func (l *lister) amount(r api.Row) string {
	switch {
	case r.Known && l.out.Terminal:
		return r.Amount.Grouped()
	case r.Known:
		return r.Amount.Major()
	case r.Raw.Empty():
		return ""
	}
	l.raw = true
	return export.Masked(r.Raw) + "*"
}

// object is the row as an object.
func (r listedRow) object() shape.Transaction {
	o := shape.Transaction{
		Schema: shape.TransactionSchema, Position: r.Position, ID: export.Masked(r.ID),
		Status: shape.NewStatus(r.Status, !r.mismatch.IsZero() || r.unchecked || r.Change == listing.Gone), Mismatch: shape.NewMismatch(r.mismatch), Unchecked: r.unchecked,
		Change: r.Change, Was: export.Masked(api.Clean(r.Was)), Seen: shape.Time(r.seen),
	}
	if o.Status != nil {
		o.Status.Word = export.Masked(r.Status.Text)
	}
	code := export.Masked(r.Currency)
	switch {
	case r.Known:
		o.Money = shape.NewMoney(r.Amount)
	case export.AmountRaw(r.Row) == nil && !r.Raw.Empty():
		o.Money = &shape.Money{Currency: code, Minor: export.Masked(r.Raw)}
	default:
		o.AmountRaw, o.Currency = export.Masked(r.Raw), code
	}
	return o
}

// lookUp looks up about which payments an answer differed: few do.
func (l *lister) lookUp(ctx context.Context) {
	l.differ = map[api.Reference]journal.Mismatch{}
	payments, err := l.Differing(ctx)
	if len(payments) > 0 {
		var failed error
		l.differ, failed = l.Mismatches(ctx, payments)
		err = errors.Join(err, failed)
	}
	if l.unread = err != nil; l.unread && !l.blind && ctx.Err() == nil {
		l.blind = true
		l.progress.clear()
		l.p.say("The journal could not be read: a payment marked ? may have a mismatch.")
	}
}

// listed is a row with what is known of it. position is its place in the list, from 1; 0 where it has none.
func (l *lister) listed(ctx context.Context, row api.Row, k listing.Known, position int) listedRow {
	if l.differ == nil {
		l.lookUp(ctx)
	}
	r := listedRow{Transaction: export.Transaction{Row: row, Position: position, Change: k.How, Was: k.Was}, seen: k.Seen}
	if len(l.differ) > 0 || l.unread {
		if payment, err := api.ParseReference(row.ID.Line(0)); err == nil && payment != "" {
			r.mismatch = l.differ[payment]
			r.unchecked = l.unread && r.mismatch.IsZero()
		}
	}
	r.Means = present.RowMeans(row.Status, !r.mismatch.IsZero(), r.unchecked)
	l.progress.clear()
	return r
}

// found yields the rows that a search finds, and returns how many. first is the position of the first row; 0 where they have
// none.
func (l *lister) found(ctx context.Context, rows *listing.Rows, s listing.Search, first int, yield func(listedRow) bool) (n int, err error) {
	err = rows.EachKnown(ctx, s, l.asked, func(at int, row api.Row, k listing.Known) error {
		position := 0
		if first > 0 && listing.InList(at) {
			position = first + at
		}
		if n++; !yield(l.listed(ctx, row, k, position)) {
			return errNotTaken
		}
		return nil
	})
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return n, err
}

// pageReading is how much of the list a page is.
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
